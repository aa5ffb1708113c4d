// What a host program's gradient keeps under a budget. The steps of the program (launches, copies and the like) are written
// down as they are made, so that they can be made again. They are divided into segments; each keeps what its steps have
// overwritten, as it was before the first of them: enough to go back to its start. With one step a segment nothing is ever made
// again. Where that is more than the budget, neighbouring segments are joined: of memory that both have overwritten only the
// older content stays. To undo a step of a long segment, the reverse sweep goes back to its start and makes the steps before
// that one again, in segments that are as short as the budget now allows.
//
// Which segments are joined in the first sweep, when nobody knows how many steps are to come: Q. Wang, P. Moin, G. Iaccarino,
// "Minimal repetition dynamic checkpointing algorithm for unsteady adjoint calculation", SIAM J. Sci. Comput. 31 (2009). Where steps
// are made again their number is known: A. Griewank, A. Walther, "Algorithm 799: revolve", ACM TOMS 26 (2000).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace cladpy {

// Rows of memory: `bytes` of each, which begin `pitch` bytes apart.
struct memory_rows {
  char *memory;
  std::size_t bytes, pitch, rows;

  std::size_t size() const { return bytes * rows; }
  bool covers(const memory_rows &other) const {
    if (memory == other.memory && bytes == other.bytes && rows == other.rows && (pitch == other.pitch || rows == 1)) return true;
    const char *const end = other.memory + (other.rows ? other.pitch * (other.rows - 1) + other.bytes : 0);
    return rows == 1 && memory <= other.memory && end <= memory + bytes;
  }
};

// What they held. Without a copy: nothing yet, since the program had not written there.
struct kept_copy {
  memory_rows of;
  void *copy;
  bool on_device;
};

// A step: what it overwrites, on which stream, and how it is made again.
template <class Stream>
struct program_step {
  Stream stream;
  std::vector<memory_rows> writes;
  std::function<void()> again;
  bool apart;  // whether no segment may reach from before it to here
  std::vector<kept_copy> own;  // put back when the step is undone, and not touched when it is made again
  std::size_t source_bytes;  // of a copy of what the host had at that time
};

// `Memory` keeps copies (`keep`, `put_back`, `drop`), knows what they take (`held`), and what a program has not written yet (`is_fresh`).
template <class Memory, class Stream>
class replays {
 public:
  typedef program_step<Stream> step;

  replays(Memory &memory, std::size_t budget) : memory_(memory), budget_(budget) {}
  replays(const replays &) = delete;
  replays &operator=(const replays &) = delete;

  void clear() {
    for (segment &s : segments_) drop(s.kept);
    for (step &s : steps_) drop(s.own);
    segments_.clear();
    steps_.clear();
  }

  step &add(Stream stream, bool apart) {
    steps_.push_back({stream, {}, nullptr, apart || next_apart_, {}, 0});
    next_apart_ = false;
    return steps_.back();
  }
  // Whatever step comes next, no segment reaches from before it to there.
  void part() { next_apart_ = true; }

  // The step that was added last is about to be made: room is made for what it overwrites, and for so many bytes of its own.
  void before(std::size_t own = 0) {
    const std::size_t now = steps_.size() - 1;
    const step &s = steps_[now];
    const bool must = segments_.empty() || s.apart;
    const std::size_t bytes = own + not_fresh(s.writes);
    int level = 0;
    while (memory_.held() + bytes > budget_) {
      const std::size_t k = victim();
      if (!k) break;
      if (!must && k + 1 == segments_.size() && segments_[k].level >= level) level = segments_[k].level + 1;
      join(k);
    }
    const bool opens = must || memory_.held() + bytes <= budget_;
    const std::size_t needed = opens ? bytes : own + uncovered(segments_.back(), s.writes);
    if (memory_.held() + needed > budget_) memory_.refuse(budget_, memory_.held() + needed);
    enter(now, opens, level);
  }
  void made() { ++position_; }

  // Memory becomes what it was before the last step, and the step is forgotten.
  void undo() {
    const std::size_t to = steps_.size() - 1;
    while (position_ > to) back();
    std::size_t next = position_, single = steps_.size();
    while (position_ < to) {
      const bool opens = position_ >= single || position_ == next;
      if (position_ < single && position_ == next) next = planned(to, single);
      enter(position_, opens, 0);
      if (steps_[position_].again) steps_[position_].again();
      ++position_;
      memory_.repeated();
    }
    step &last = steps_.back();
    put_back(last.own);
    memory_.forget(last.source_bytes);
    steps_.pop_back();
  }

 private:
  typedef std::vector<kept_copy> log;
  struct segment {
    std::size_t first;
    int level;  // how often segments had to be joined to make room for it
    log kept;
  };

  bool stays(std::size_t k) const { return k == 0 || steps_[segments_[k].first].apart; }

  // The segment to join to the one before it; 0 where none may be. One that comes before another of a higher level is not
  // missed; else it is the last.
  std::size_t victim() const {
    std::size_t found = 0, last = 0;
    int highest = -1;
    for (std::size_t k = segments_.size(); k-- > 1;) {
      if (!stays(k)) {
        if (segments_[k].level < highest) found = k;
        if (!last) last = k;
      }
      if (segments_[k].level > highest) highest = segments_[k].level;
    }
    return found ? found : last;
  }

  void join(std::size_t k) {
    log &older = segments_[k - 1].kept;
    const std::size_t before = older.size();
    for (kept_copy &c : segments_[k].kept)
      if (known(older, before, c.of))
        memory_.drop(c);
      else
        older.push_back(c);
    segments_.erase(segments_.begin() + static_cast<std::ptrdiff_t>(k));
  }

  std::size_t not_fresh(const std::vector<memory_rows> &writes) const {
    std::size_t sum = 0;
    for (const memory_rows &w : writes) sum += memory_.is_fresh(w.memory) ? 0 : w.size();
    return sum;
  }
  static bool known(const log &kept, std::size_t count, const memory_rows &rows) {
    for (std::size_t i = 0; i < count; ++i)
      if (kept[i].of.covers(rows)) return true;
    return false;
  }
  static std::size_t uncovered(const segment &of, const std::vector<memory_rows> &writes) {
    std::size_t sum = 0;
    for (const memory_rows &w : writes) sum += known(of.kept, of.kept.size(), w) ? 0 : w.size();
    return sum;
  }

  // A step begins, in a segment of its own or in the last one.
  void enter(std::size_t which, bool opens, int level) {
    if (opens) segments_.push_back({which, level, {}});
    log &kept = segments_.back().kept;
    for (const memory_rows &w : steps_[which].writes)
      if (!known(kept, kept.size(), w)) memory_.keep(kept, w, steps_[which].stream);
  }

  // To the start of the last segment.
  void back() {
    put_back(segments_.back().kept);
    position_ = segments_.back().first;
    segments_.pop_back();
  }
  void put_back(log &kept) {
    while (!kept.empty()) {  // what was kept later first: the oldest content is the one that stays
      kept_copy last = kept.back();
      kept.pop_back();
      memory_.put_back(last);
    }
  }
  void drop(log &kept) {
    for (kept_copy &c : kept) memory_.drop(c);
  }

  // Where the next segment begins, for steps that are made again from here up to another. From `single` on there is room for
  // one segment each.
  std::size_t planned(std::size_t to, std::size_t &single) const {
    const std::size_t room = budget_ - memory_.held();
    log distinct;
    std::size_t all = 0, once = 0;
    for (std::size_t i = position_; i < to; ++i)
      for (const memory_rows &w : steps_[i].writes) {
        all += w.size();
        if (known(distinct, distinct.size(), w)) continue;
        once += w.size();
        distinct.push_back({w, nullptr, false});
      }
    if (all <= room) return single = position_;
    const std::size_t slots = once ? room / once : 0;
    if (slots > 1) return position_ + first_part(to - position_ + 1, slots);
    single = to;
    for (std::size_t left = room > once ? room - once : 0; single > position_ + 1; --single) {
      std::size_t bytes = 0;
      for (const memory_rows &w : steps_[single - 1].writes) bytes += w.size();
      if (bytes > left) break;
      left -= bytes;
    }
    return to;
  }

  // How many of so many steps to make before the next checkpoint, where there is room for `slots` of them, the one here included.
  static std::size_t first_part(std::size_t steps, std::size_t slots) {
    // choices(s, r) = (s + r)! / (s! r!) steps can be reversed with s checkpoints when none is made more than r times
    std::size_t repeats = 1;
    while (choices(slots, repeats) < steps) ++repeats;
    const std::size_t less = choices(slots, repeats - 1), fewer = slots > 1 ? choices(slots - 1, repeats - 1) : 1;
    const std::size_t fewest = slots > 2 ? choices(slots - 2, repeats - 1) : 1;
    const std::size_t shortest = repeats > 1 ? choices(slots, repeats - 2) : 1;
    if (steps <= less + fewest) return shortest;
    const std::size_t longest = steps > fewer + fewest ? steps - fewer - fewest : 1;
    return longest < less ? longest : less;
  }
  static std::size_t choices(std::size_t s, std::size_t r) {
    std::size_t found = 1;
    for (std::size_t i = 1; i <= r; ++i) found = found * (s + i) / i;
    return found;
  }

  Memory &memory_;
  std::size_t budget_;
  std::vector<step> steps_;  // those that have not been undone
  std::vector<segment> segments_;
  std::size_t position_ = 0;  // how many of the steps are in memory
  bool next_apart_ = false;
};

}  // namespace cladpy
