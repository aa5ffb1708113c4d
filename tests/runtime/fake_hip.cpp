// HIP's runtime on plain memory, with two devices: what cladpy calls of libamdhip64, and what tests ask it.
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace {
struct Memory {
  size_t size;
  int device;
  int type;  // as hipMemoryType of ROCm 5: 0 host, 1 device
  int managed;
};
std::map<char *, Memory> live;
int current = 0, until_failure = -1, version = 50200000;
std::string calls;

std::map<char *, Memory>::iterator holding(void *pointer) {
  char *address = static_cast<char *>(pointer);
  for (auto at = live.begin(); at != live.end(); ++at)
    if (address >= at->first && address < at->first + at->second.size) return at;
  return live.end();
}
}  // namespace

extern "C" {
// ---- what tests ask
int fake_live() { return static_cast<int>(live.size()); }
void fake_fail_after(int allocations) { until_failure = allocations; }
void fake_version(int number) { version = number; }
void fake_say(const char *what) { (calls += what) += ' '; }
const char *fake_calls() { return calls.c_str(); }
void fake_reset() {
  for (auto &entry : live) free(entry.first);
  live.clear();
  calls.clear();
  current = 0;
  until_failure = -1;
  version = 50200000;
}
void *fake_memory(size_t size, int device, int type, int managed) {
  char *memory = static_cast<char *>(calloc(1, size ? size : 1));
  live[memory] = {size, device, type, managed};
  return memory;
}

// ---- HIP
int hipRuntimeGetVersion(int *number) { return *number = version, 0; }
int hipGetDeviceCount(int *count) { return *count = 2, 0; }
int hipGetDevice(int *device) { return *device = current, 0; }
int hipSetDevice(int device) {
  if (device < 0 || device > 1) return 101;
  fake_say(("device" + std::to_string(device)).c_str());
  return current = device, 0;
}
int hipDeviceGetName(char *name, int length, int device) {
  const std::string text = "Fake " + std::to_string(device);
  strncpy(name, text.c_str(), static_cast<size_t>(length));
  return 0;
}
int hipGetDeviceProperties(char *properties, int device) {
  const size_t shared = 65536;
  memset(properties, 0, 792);
  strcpy(properties, "Fake");
  memcpy(properties + 264, &shared, sizeof shared);
  strcpy(properties + 396, device ? "gfx1030" : "gfx90a:sramecc+:xnack-");
  return 0;
}
int hipPointerGetAttributes(int *attributes, void *pointer) {
  const auto at = holding(pointer);
  if (at == live.end()) return 1;
  memset(attributes, 0, 32);
  attributes[0] = version < 60000000 ? at->second.type : at->second.type + 1;
  attributes[1] = at->second.device;
  memcpy(attributes + 2, &pointer, sizeof pointer);
  attributes[6] = at->second.managed;
  return 0;
}
int hipMalloc(void **memory, size_t size) {
  if (until_failure-- == 0) return 2;
  return *memory = fake_memory(size, current, 1, 0), 0;
}
int hipFree(void *memory) {
  if (!live.erase(static_cast<char *>(memory))) return 1;
  return free(memory), 0;
}
int hipMemcpy(void *to, const void *from, size_t size, int kind) {
  void *device = kind == 1 ? to : const_cast<void *>(from);
  const auto at = holding(device);
  if (at == live.end() || static_cast<char *>(device) + size > at->first + at->second.size) return 1;
  fake_say(kind == 1 ? "in" : "out");
  return memcpy(to, from, size), 0;
}
int hipDeviceSynchronize() { return fake_say("synchronize"), 0; }
const char *hipGetErrorString(int error) { return error == 2 ? "out of memory" : "invalid argument"; }
}
