// Functions that find the module whose code has crashed. They run in a signal handler, so they call only
// async-signal-safe functions, and take no lock.
#pragma once
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// A library of a module. Images are never removed, because libraries are never unloaded.
struct crash_image {
    // The path that was passed to dlopen, by which glibc knows the library.
    const char * path;
    const char * module;
    const char * version;
    // The digest of the library, or "-".
    const char * digest;
    const struct crash_image * next;
};

// The beginning of struct link_map, and an entry of a dynamic section. Declared in <link.h>, which is in no Swift
// module.
struct crash_dynamic { int64_t tag; uint64_t value; };
struct crash_link_map { uintptr_t base; const char *name; const struct crash_dynamic *dynamic; };
// An entry of a symbol table. Declared in <elf.h> as Elf64_Sym.
struct crash_elf_symbol { uint32_t name; uint8_t info, visibility; uint16_t section; uint64_t value, size; };

// glibc 2.35: finds the object that contains an address, without a lock. Declared in <dlfcn.h> behind _GNU_SOURCE. The
// real struct is not larger.
struct crash_object {
    unsigned long long flags;
    void *start, *end;
    const struct crash_link_map *map;
    void *frames;
    unsigned long long reserved[16];
};
int _dl_find_object(void *address, void *result);

// libgcc: calls a function for each frame of the stack. Declared in <unwind.h>. Since GCC 12, it takes no lock.
struct _Unwind_Context;
int _Unwind_Backtrace(int (*function)(struct _Unwind_Context *, void *), void *argument);
unsigned long _Unwind_GetIPInfo(struct _Unwind_Context *context, int *is_exact);
enum { crash_go_on = 0, crash_end_of_stack = 5 };

struct crash_search {
    const struct crash_image *images;
    // The image of the first frame in a module, or NULL.
    const struct crash_image *image;
    struct crash_object object;
    // The last object that was found not to be a module's library.
    const struct crash_link_map *other;
    uintptr_t address;
    int frames;
};

static const int crash_frame_limit = 100000;

// Returns 1 if the address lies in an object. For an address below all objects, glibc 2.36 finds an object of zeros.
static inline int crash_find(uintptr_t address, struct crash_object *object) {
    return _dl_find_object((void *)address, object) == 0 && object->map && address >= (uintptr_t)object->start
        && address < (uintptr_t)object->end;
}

// Returns 1 if the address lies in an object. If the object is a module's library, ends the search.
static inline int crash_check(struct crash_search *search, uintptr_t address) {
    if (!crash_find(address, &search->object)) return 0;
    const struct crash_link_map *map = search->object.map;
    // Most frames of a deep stack lie in the same object, so the images are rarely compared more than once.
    if (map == search->other) return 1;
    for (const struct crash_image *image = search->images; map->name && image; image = image->next) {
        if (strcmp(image->path, map->name) != 0) continue;
        search->image = image;
        search->address = address;
        return 1;
    }
    search->other = map;
    return 1;
}

static inline int crash_visit(struct _Unwind_Context *context, void *argument) {
    struct crash_search *search = (struct crash_search *)argument;
    int is_exact = 0;
    uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
    // A return address can be the start of the next function.
    if (address) crash_check(search, is_exact ? address : address - 1);
    return search->image || ++search->frames > crash_frame_limit ? crash_end_of_stack : crash_go_on;
}

// Copies two words of this process. Returns 0 if they cannot be read, where a direct access would crash.
static inline int crash_read(uintptr_t address, uintptr_t words[2]) {
    struct { void *start; size_t size; } to = {words, 2 * sizeof *words}, from = {(void *)address, 2 * sizeof *words};
    // The arguments of a variadic function must have the kernel's width.
    return syscall(SYS_process_vm_readv, (long)getpid(), &to, 1ul, &from, 1ul, 0ul) == (long)(2 * sizeof *words);
}

struct crash_registers { uintptr_t code, stack, frame; };

static inline struct crash_registers crash_registers(const void *context) {
    const ucontext_t *registers = (const ucontext_t *)context;
#if defined(__x86_64__)
    // REG_RIP, REG_RSP and REG_RBP, which are declared behind _GNU_SOURCE.
    const long long *values = (const long long *)registers->uc_mcontext.gregs;
    return (struct crash_registers){(uintptr_t)values[16], (uintptr_t)values[15], (uintptr_t)values[10]};
#elif defined(__aarch64__)
    return (struct crash_registers){
        registers->uc_mcontext.pc, registers->uc_mcontext.sp, registers->uc_mcontext.regs[29]};
#else
    return (struct crash_registers){0, 0, 0};
#endif
}

// Follows the frame pointers, which Swift's code always has. Memory is only read through the kernel, so a damaged stack
// does no harm.
static inline void crash_follow(struct crash_search *search, const void *context) {
    struct crash_registers registers = crash_registers(context);
    uintptr_t words[2];
    // After a call of an invalid address, the caller is known only from the return address on the stack.
    if (!crash_check(search, registers.code) && crash_read(registers.stack, words)) crash_check(search, words[0] - 1);
    uintptr_t frame = registers.frame;
    for (int count = 0; !search->image && count < crash_frame_limit; count++) {
        // Swift marks the frame of an asynchronous function with bit 60.
        frame &= ~(1ul << 60);
        if (!crash_read(frame, words)) break;
        crash_check(search, words[1] - 1);
        // The stack grows down, so a caller's frame is above.
        if ((words[0] & ~(1ul << 60)) <= frame) break;
        frame = words[0];
    }
}

// Returns the name of the function at the found address, or "-" if the library does not export it.
static inline const char *crash_symbol(const struct crash_search *search) {
    const struct crash_link_map *map = search->object.map;
    uintptr_t strings = 0, symbols = 0, hashes = 0;
    for (const struct crash_dynamic *entry = map->dynamic; entry && entry->tag; entry++) {
        // DT_STRTAB, DT_SYMTAB and DT_GNU_HASH. glibc has replaced the offsets by addresses.
        if (entry->tag == 5) strings = entry->value;
        if (entry->tag == 6) symbols = entry->value;
        if (entry->tag == 0x6ffffef5) hashes = entry->value;
    }
    uintptr_t base = (uintptr_t)search->object.start, end = (uintptr_t)search->object.end;
    if (strings < base || strings >= end || symbols < base || symbols >= end || hashes < base || hashes >= end) return "-";
    // The hash table has a header, a bloom filter, buckets with the first symbol of each chain, and the chains. The last
    // entry of a chain is odd.
    const uint32_t *header = (const uint32_t *)hashes;
    uint32_t buckets = header[0], first = header[1];
    const uint32_t *bucket = header + 4 + 2 * (size_t)header[2], *chain = bucket + buckets;
    uint32_t count = 0;
    for (uint32_t index = 0; index < buckets; index++) if (bucket[index] > count) count = bucket[index];
    if (count < first) return "-";
    while (!(chain[count - first] & 1)) count++;
    const struct crash_elf_symbol *table = (const struct crash_elf_symbol *)symbols;
    for (uint32_t index = first; index <= count; index++) {
        uintptr_t start = map->base + table[index].value;
        if (search->address >= start && search->address < start + table[index].size) {
            return (const char *)strings + table[index].name;
        }
    }
    return "-";
}
