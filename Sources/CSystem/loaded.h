// The build ID of a library that this process has loaded, read from its memory, because its file may have been replaced.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The beginnings of struct link_map and struct dl_phdr_info, an Elf64_Phdr and an Elf64_Nhdr. Declared in <link.h> and
// <elf.h>, which are in no Swift module.
struct loaded_map { uintptr_t base; const char *path; };
struct loaded_segment { uint32_t type, flags; uint64_t offset, address, physical, file_size, size, alignment; };
struct loaded_object { uintptr_t base; const char *path; const struct loaded_segment *segments; uint16_t count; };
struct loaded_note { uint32_t name_size, size, type; };

// glibc: calls a function for each loaded object. Declared in <link.h> behind _GNU_SOURCE.
int dl_iterate_phdr(int (*function)(struct loaded_object *, size_t, void *), void *argument);

struct loaded_library {
    const struct loaded_map *map;
    // The address at which its first segment begins.
    uintptr_t start;
    unsigned char build_id[64];
    size_t build_id_size;
};

static inline void read_loaded_note(const unsigned char *note, const unsigned char *end, size_t step,
                                    struct loaded_library *library) {
    while (end - note > (ptrdiff_t)sizeof(struct loaded_note)) {
        struct loaded_note header;
        memcpy(&header, note, sizeof header);
        const unsigned char *name = note + sizeof header;
        size_t content = (header.name_size + step - 1) / step * step;
        size_t rest = (header.size + step - 1) / step * step;
        if ((size_t)(end - name) < content + header.size) return;
        // NT_GNU_BUILD_ID
        if (header.type == 3 && header.name_size == 4 && !memcmp(name, "GNU", 4)
            && header.size <= sizeof library->build_id) {
            memcpy(library->build_id, name + content, header.size);
            library->build_id_size = header.size;
            return;
        }
        note = name + content + rest;
    }
}

static inline int read_loaded_object(struct loaded_object *object, size_t size, void *argument) {
    struct loaded_library *library = argument;
    // glibc gives the same string in both structures.
    if (object->base != library->map->base || object->path != library->map->path) return 0;
    const struct loaded_segment *segments = object->segments;
    for (int index = object->count; index-- > 0;) {
        // PT_LOAD. The segments are sorted, so the last one that is seen is the first.
        if (segments[index].type == 1) library->start = object->base + segments[index].address;
        // PT_NOTE
        if (segments[index].type != 4) continue;
        const struct loaded_segment *note = &segments[index];
        for (int other = 0; other < object->count; other++) {
            const struct loaded_segment *load = &segments[other];
            // Only what a segment loads from the file is in memory for certain.
            if (load->type != 1 || note->address < load->address || note->file_size > load->file_size
                || note->address - load->address > load->file_size - note->file_size) continue;
            const unsigned char *bytes = (const unsigned char *)(object->base + note->address);
            read_loaded_note(bytes, bytes + note->file_size, note->alignment == 8 ? 8 : 4, library);
        }
    }
    return 1;
}

// Finds a library by the link_map of its handle. Returns 0 if the process has no such library.
static inline int find_loaded_library(const struct loaded_map *map, struct loaded_library *library) {
    memset(library, 0, sizeof *library);
    library->map = map;
    return dl_iterate_phdr(read_loaded_object, library);
}

// The paths of the libraries that a process has loaded.
struct loaded_paths { const char *paths[256]; size_t count; };

static inline int add_loaded_path(struct loaded_object *object, size_t size, void *argument) {
    struct loaded_paths *all = argument;
    if (all->count < sizeof all->paths / sizeof *all->paths && object->path) all->paths[all->count++] = object->path;
    return 0;
}

// Lists the libraries that are loaded now. glibc keeps each path for as long as its library is loaded.
static inline void list_loaded_paths(struct loaded_paths *all) {
    all->count = 0;
    dl_iterate_phdr(add_loaded_path, all);
}

// Returns one of the paths.
static inline const char *loaded_path(const struct loaded_paths *all, size_t index) { return all->paths[index]; }
