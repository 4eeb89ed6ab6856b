// The function of libFuzzer that runs it with a target. Swift imports this header.
#include <stddef.h>
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*target)(const unsigned char *, size_t));
