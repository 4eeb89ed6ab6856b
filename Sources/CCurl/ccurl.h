// The system's libcurl. It is declared here because the library is installed wherever Swift's Foundation runs, but its
// header is not. Names and numbers are those of https://curl.se/libcurl/c/. The binary interface has not changed since
// 2006.
#pragma once
#include <stddef.h>

typedef struct Curl_easy CURL;
typedef struct Curl_multi CURLM;
typedef struct Curl_URL CURLU;
struct curl_slist;

int curl_global_init(long flags);
const char *_Nonnull curl_easy_strerror(int code);
CURL *_Nullable curl_easy_init(void);
void curl_easy_cleanup(CURL *_Nonnull easy);
int curl_easy_setopt(CURL *_Nonnull easy, int option, ...);
int curl_easy_getinfo(CURL *_Nonnull easy, int info, ...);
CURLM *_Nullable curl_multi_init(void);
int curl_multi_cleanup(CURLM *_Nonnull multi);
int curl_multi_add_handle(CURLM *_Nonnull multi, CURL *_Nonnull easy);
int curl_multi_remove_handle(CURLM *_Nonnull multi, CURL *_Nonnull easy);
int curl_multi_perform(CURLM *_Nonnull multi, int *_Nonnull running);
int curl_multi_poll(CURLM *_Nonnull multi, void *_Nullable extra, unsigned int count, int timeout_ms, int *_Nullable ready);
int curl_multi_wakeup(CURLM *_Nonnull multi);
struct curl_slist *_Nullable curl_slist_append(struct curl_slist *_Nullable list, const char *_Nonnull text);
void curl_slist_free_all(struct curl_slist *_Nullable list);
CURLU *_Nullable curl_url(void);
void curl_url_cleanup(CURLU *_Nonnull url);
int curl_url_set(CURLU *_Nonnull url, int part, const char *_Nonnull text, unsigned int flags);
int curl_url_get(const CURLU *_Nonnull url, int part, char *_Nullable *_Nonnull text, unsigned int flags);
void curl_free(void *_Nullable pointer);

struct CURLMsg {
    int msg;
    CURL *_Nonnull easy_handle;
    union {
        void *_Nullable whatever;
        int result;
    } data;
};
struct CURLMsg *_Nullable curl_multi_info_read(CURLM *_Nonnull multi, int *_Nonnull left);

static const int CURLMSG_DONE = 1;
static const long CURL_GLOBAL_DEFAULT = 3;

static const int CURLOPT_WRITEDATA = 10001;
static const int CURLOPT_URL = 10002;
static const int CURLOPT_COPYPOSTFIELDS = 10165;
static const int CURLOPT_HTTPHEADER = 10023;
static const int CURLOPT_CAINFO = 10065;
static const int CURLOPT_CAPATH = 10097;
static const int CURLOPT_HEADERDATA = 10029;
static const int CURLOPT_CUSTOMREQUEST = 10036;
static const int CURLOPT_NOBODY = 44;
static const int CURLOPT_FRESH_CONNECT = 74;
static const int CURLOPT_NOSIGNAL = 99;
static const int CURLOPT_ACCEPT_ENCODING = 10102;
static const int CURLOPT_TIMEOUT_MS = 155;
static const int CURLOPT_PROTOCOLS = 181;
static const int CURLOPT_PATH_AS_IS = 234;
static const int CURLOPT_QUICK_EXIT = 322;
static const int CURLOPT_WRITEFUNCTION = 20011;
static const int CURLOPT_HEADERFUNCTION = 20079;
static const int CURLOPT_POSTFIELDSIZE_LARGE = 30120;

static const long CURLPROTO_HTTP_AND_HTTPS = 3;

static const int CURLINFO_RESPONSE_CODE = 0x200002;
static const int CURLINFO_REDIRECT_URL = 0x10001F;

static const int CURLE_COULDNT_RESOLVE_HOST = 6;
static const int CURLE_COULDNT_CONNECT = 7;
static const int CURLE_PARTIAL_FILE = 18;
static const int CURLE_OPERATION_TIMEDOUT = 28;
static const int CURLE_GOT_NOTHING = 52;
static const int CURLE_RECV_ERROR = 56;
static const int CURLE_PEER_FAILED_VERIFICATION = 60;
static const int CURLE_SSL_CACERT_BADFILE = 77;

static const int CURLUPART_URL = 0;
static const int CURLUPART_SCHEME = 1;
static const int CURLUPART_HOST = 5;
static const int CURLUPART_PORT = 6;
static const unsigned int CURLU_DEFAULT_PORT = 1;
static const unsigned int CURLU_NON_SUPPORT_SCHEME = 8;

// Swift does not import variadic functions.
static inline int ccurl_set_number(CURL *_Nonnull easy, int option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline int ccurl_set_size(CURL *_Nonnull easy, int option, long long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline int ccurl_set_text(CURL *_Nonnull easy, int option, const char *_Nonnull value) {
    return curl_easy_setopt(easy, option, value);
}
static inline int ccurl_set_pointer(CURL *_Nonnull easy, int option, const void *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}
static inline int ccurl_set_callback(
    CURL *_Nonnull easy, int option, size_t (*_Nonnull value)(char *_Nullable, size_t, size_t, void *_Nullable)) {
    return curl_easy_setopt(easy, option, value);
}
static inline long ccurl_number(CURL *_Nonnull easy, int info) {
    long value = 0;
    curl_easy_getinfo(easy, info, &value);
    return value;
}
static inline void *_Nullable ccurl_pointer(CURL *_Nonnull easy, int info) {
    void *value = NULL;
    curl_easy_getinfo(easy, info, &value);
    return value;
}
