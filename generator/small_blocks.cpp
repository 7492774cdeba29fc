// operator new and delete of the burin program. What it works on are many small objects that live
// briefly, expressions and indices above all: the C library's malloc and free took a quarter of the
// time of a large network, and eight bytes of each block. Here blocks of one size lie side by side
// in a slab, without headers, and one that is freed is the next one of its slab. A slab without
// blocks is one of any size again, and most of its memory the system's.
//
// Blocks above kLargest are the C library's. What another thread frees waits in a list until the
// slab's own thread looks for room; blocks of a thread that has ended stay unused.
//
// The generator as a library, and tests, have the operators of whoever links it; sanitizers need
// their own.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define BURIN_SANITIZED
#endif
#endif
#if !defined(BURIN_SANITIZED) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

constexpr size_t kStep = 16;      // sizes are multiples of this: every type's alignment
constexpr size_t kLargest = 256;  // bytes of a block in a slab
constexpr size_t kSlab = 1 << 14;
constexpr size_t kFirstSlabs = 8;    // taken at once: a program that is short of memory says so
constexpr size_t kSlabsAtOnce = 64;  // later
constexpr size_t kHeader = 64;       // bytes of a slab before its first block
constexpr size_t kPage = 4096;       // that stay when the system gets a slab's memory
constexpr int kMostReady = 64;       // slabs without blocks that keep theirs

struct Free {
  Free* next;
};

struct Heap;

struct Slab {
  Heap* heap;
  Slab *next, *previous;  // in a list of its heap
  Free* freed;
  char *at, *end;  // no block has been here yet
  uint32_t used;   // blocks
  uint32_t steps;  // kSteps of one

  bool has_room() const { return freed != nullptr || at != end; }
};
static_assert(sizeof(Slab) <= kHeader);

struct Slabs {
  Slab* first = nullptr;

  void add(Slab* slab) {
    slab->previous = nullptr;
    slab->next = first;
    if (first) first->previous = slab;
    first = slab;
  }
  void remove(Slab* slab) {
    (slab->previous ? slab->previous->next : first) = slab->next;
    if (slab->next) slab->next->previous = slab->previous;
  }
};

// Of one thread.
struct Heap {
  std::array<Slabs, kLargest / kStep> with_room;  // those of one size; blocks come from the first
  Slabs ready, given_back;                        // without blocks: with their memory, and without
  int count_ready = 0;
  bool is_first = true;                      // no slab has been taken yet
  std::atomic<Free*> from_others = nullptr;  // blocks that other threads have freed
};

constinit thread_local Heap* own = nullptr;

// Which addresses are slabs, a bit each: one page stands for 16 GiB of the 48 bits that a program
// has.
constexpr unsigned kPageBits = 34;
using Page = std::array<std::atomic<uint64_t>, (uint64_t{1} << kPageBits) / kSlab / 64>;
constinit std::array<std::atomic<Page*>, 1 << (48 - kPageBits)> pages{};

uint64_t number_of(const void* address) { return reinterpret_cast<uintptr_t>(address); }

// The word with the bit of a slab, and the bit.
size_t word_of(const void* block) {
  return number_of(block) / kSlab / 64 % std::tuple_size_v<Page>;
}
uint64_t bit_of(const void* block) { return uint64_t{1} << number_of(block) / kSlab % 64; }

bool is_ours(const void* block) {
  const uint64_t number = number_of(block) >> kPageBits;
  const Page* const page =
      number < pages.size() ? pages[number].load(std::memory_order_acquire) : nullptr;
  return page && ((*page)[word_of(block)].load(std::memory_order_relaxed) & bit_of(block)) != 0;
}

void make_ours(const void* slab) {
  const uint64_t number = number_of(slab) >> kPageBits;
  if (number >= pages.size()) throw std::bad_alloc();
  std::atomic<Page*>& place = pages[number];
  Page* page = place.load(std::memory_order_acquire);
  if (!page) {
    auto* const made = static_cast<Page*>(std::calloc(1, sizeof(Page)));
    if (!made) throw std::bad_alloc();
    if (place.compare_exchange_strong(page, made))
      page = made;
    else
      std::free(made);
  }
  (*page)[word_of(slab)].fetch_or(bit_of(slab), std::memory_order_relaxed);
}

Slab* slab_of(void* block) {
  return reinterpret_cast<Slab*>(number_of(block) & ~(uint64_t{kSlab} - 1));
}

void give_back(Heap& heap, Slab* slab) {
  if (heap.count_ready < kMostReady) {
    ++heap.count_ready;
    return heap.ready.add(slab);
  }
  madvise(reinterpret_cast<char*>(slab) + kPage, kSlab - kPage, MADV_DONTNEED);
  heap.given_back.add(slab);
}

void free_own(Heap& heap, Slab* slab, void* block) {
  Slabs& with_room = heap.with_room[slab->steps - 1];
  if (!slab->has_room()) with_room.add(slab);
  auto* const freed = static_cast<Free*>(block);
  freed->next = slab->freed;
  slab->freed = freed;
  if (--slab->used > 0) return;
  with_room.remove(slab);
  give_back(heap, slab);
}

// A slab without blocks.
Slab* empty_slab(Heap& heap) {
  if (!heap.ready.first && !heap.given_back.first) {
    const size_t count = heap.is_first ? kFirstSlabs : kSlabsAtOnce;
    void* const many = std::aligned_alloc(kSlab, kSlab * count);
    if (!many) throw std::bad_alloc();
    heap.is_first = false;
    for (size_t i = count; i-- > 0;) {
      auto* const slab = reinterpret_cast<Slab*>(static_cast<char*>(many) + i * kSlab);
      make_ours(slab);
      slab->heap = &heap;
      heap.given_back.add(slab);
    }
  }
  Slabs& from = heap.ready.first ? heap.ready : heap.given_back;
  if (&from == &heap.ready) --heap.count_ready;
  Slab* const slab = from.first;
  from.remove(slab);
  return slab;
}

// A slab of the size with room, the first of its list.
Slab* slab_with_room(Heap& heap, uint32_t steps) {
  for (Free* block = heap.from_others.exchange(nullptr, std::memory_order_acquire); block;) {
    Free* const next = block->next;
    free_own(heap, slab_of(block), block);
    block = next;
  }
  Slabs& with_room = heap.with_room[steps - 1];
  if (with_room.first) return with_room.first;
  Slab* const slab = empty_slab(heap);
  slab->freed = nullptr;
  slab->used = 0;
  slab->steps = steps;
  slab->at = reinterpret_cast<char*>(slab) + kHeader;
  slab->end = slab->at + (kSlab - kHeader) / (steps * kStep) * (steps * kStep);
  with_room.add(slab);
  return slab;
}

Heap* own_heap() {
  if (!own) {
    void* const memory = std::calloc(1, sizeof(Heap));
    if (!memory) throw std::bad_alloc();
    own = new (memory) Heap;
  }
  return own;
}

}  // namespace

void* operator new(size_t bytes) {
  if (bytes > kLargest) {
    if (void* const block = std::malloc(bytes)) return block;
    throw std::bad_alloc();
  }
  const auto steps = static_cast<uint32_t>(bytes == 0 ? 1 : (bytes + kStep - 1) / kStep);
  Heap& heap = own ? *own : *own_heap();
  Slabs& with_room = heap.with_room[steps - 1];
  Slab* const slab = with_room.first ? with_room.first : slab_with_room(heap, steps);
  ++slab->used;
  void* block = slab->freed;
  if (block) {
    slab->freed = slab->freed->next;
  } else {
    block = slab->at;
    slab->at += steps * kStep;
  }
  if (!slab->has_room()) with_room.remove(slab);
  return block;
}

namespace {

void free_block(void* block) {
  Slab* const slab = slab_of(block);
  Heap* const heap = slab->heap;
  if (heap == own) return free_own(*heap, slab, block);
  auto* const freed = static_cast<Free*>(block);
  freed->next = heap->from_others.load(std::memory_order_relaxed);
  while (!heap->from_others.compare_exchange_weak(freed->next, freed, std::memory_order_release)) {
  }
}

}  // namespace

void operator delete(void* block) noexcept {
  if (!block) return;
  is_ours(block) ? free_block(block) : std::free(block);
}

void operator delete(void* block, size_t bytes) noexcept {
  if (!block) return;
  bytes > kLargest ? std::free(block) : free_block(block);
}

#endif
