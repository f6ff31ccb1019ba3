#pragma once
// Memory for arrays of many megabytes that are swept again and again: bases of Krylov spaces, the numbers of matrices. It asks the system
// for pages of 2 MB. With pages of 4 kB a sweep needs more addresses than the processor keeps, and which pages share a place in the cache
// is decided anew in every process: the best time of an exprb42 step of 9000 particles was from 12.3 to 15.5 ms and is from 11.5 to 12.3.
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
        if (bytes < page) return static_cast<T*>(::operator new(bytes, line));
        // Whole pages: the system leaves what is less in small ones.
        const std::size_t whole = (bytes + page - 1) / page * page;
        void* const memory = ::operator new (whole, std::align_val_t{page});
#if defined(__linux__)
        madvise(memory, whole, MADV_HUGEPAGE);  // no more than a wish
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t count) { ::operator delete (memory, count * sizeof(T) < page ? line : std::align_val_t{page}); }

    friend bool operator==(const LargePages&, const LargePages&) { return true; }

private:
    static constexpr std::size_t page = std::size_t{2} << 20;
    static constexpr std::align_val_t line{64};  // of the cache
};

template <class T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace wobble
