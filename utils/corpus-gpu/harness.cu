// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the pairs that are linked with it.
//   pairs check [NAME...]  each side against the CPU reference, then timed; one
//                          line of JSON a pair
//   pairs count [NAME...]  each side launched once, for Nsight Compute

#include "../../corpus/harness.cuh"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace corpus;

static const Pair *First;

void corpus::enlist(Pair &pair) {
  pair.Next = First;
  First = &pair;
}

int corpus::atRunTime(int n) { return n; }

static void must(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(2);
}

namespace {

constexpr Count Footprint = 512ull << 20; ///< bytes the rotating sets span
constexpr int MaxSets = 64, WarmUps = 3, Repeats = 25;

/// Host memory that is kept from pair to pair.
struct Arena {
  std::vector<char> Bytes;
  void *get(Count n) {
    if (Bytes.size() < n)
      Bytes.resize(n);
    return Bytes.data();
  }
};
Arena HostIn[3], HostArranged, HostRight, HostGot, HostRestored;

/// One side's arrays on the device, several times over.
struct Sets {
  std::vector<std::vector<void *>> In;
  std::vector<void *> Out;
  Sets(const Pair &P, Side S, int count) {
    for (int i = 0; i < count; ++i) {
      In.emplace_back();
      for (int k = 0; k < P.InputCount; ++k) {
        void *p;
        must(cudaMalloc(&p, P.Inputs[k].SideBytes[S]), "cudaMalloc");
        In.back().push_back(p);
      }
      void *p;
      must(cudaMalloc(&p, P.Output.SideBytes[S]), "cudaMalloc");
      must(cudaMemset(p, P.Zeroed ? 0 : 0xff, P.Output.SideBytes[S]), "poison");
      Out.push_back(p);
    }
  }
  ~Sets() {
    for (auto &in : In)
      for (void *p : in)
        cudaFree(p);
    for (void *p : Out)
      cudaFree(p);
  }
};

struct Times {
  double Median, Low, High; ///< microseconds; quartiles
};

Count setBytes(const Pair &P, Side S) {
  Count sum = P.Output.SideBytes[S];
  for (int k = 0; k < P.InputCount; ++k)
    sum += P.Inputs[k].SideBytes[S];
  return sum;
}

void upload(const Pair &P, Side S, Sets &sets) {
  for (int k = 0; k < P.InputCount; ++k) {
    const Array &a = P.Inputs[k];
    const void *from = HostIn[k].get(a.Bytes);
    if (a.Arrange[S]) {
      void *arranged = HostArranged.get(a.SideBytes[S]);
      std::memset(arranged, 0, a.SideBytes[S]);
      a.CallArrange(a.Arrange[S], arranged, from);
      from = arranged;
    }
    must(
        cudaMemcpy(sets.In[0][k], from, a.SideBytes[S], cudaMemcpyHostToDevice),
        "upload");
    for (size_t i = 1; i < sets.In.size(); ++i)
      must(cudaMemcpy(sets.In[i][k], sets.In[0][k], a.SideBytes[S],
                      cudaMemcpyDeviceToDevice),
           "copy");
  }
}

void launch(const Pair &P, Side S, Sets &sets, int set) {
  P.Call(P.Run[S], sets.Out[set], sets.In[set].data());
}

/// Whether the output of set 0 is the reference's.
bool check(const Pair &P, Side S, Sets &sets) {
  launch(P, S, sets, 0);
  must(cudaGetLastError(), P.Name);
  must(cudaDeviceSynchronize(), P.Name);
  const void *got = HostGot.get(P.Output.SideBytes[S]);
  must(cudaMemcpy(const_cast<void *>(got), sets.Out[0], P.Output.SideBytes[S],
                  cudaMemcpyDeviceToHost),
       "download");
  if (P.Output.Arrange[S]) {
    void *restored = HostRestored.get(P.Output.Bytes);
    P.Output.CallArrange(P.Output.Arrange[S], restored, got);
    got = restored;
  }
  const Count wrong =
      P.Compare(got, HostRight.get(P.Output.Bytes), P.Output.Bytes);
  if (wrong == All)
    return true;
  std::fprintf(stderr, "error: %s, %s side: element %llu is wrong\n", P.Name,
               S == Slow ? "slow" : "fast", wrong);
  return false;
}

Times time(const Pair &P, Side S, Sets &sets) {
  const int count = sets.Out.size();
  for (int i = 0; i < WarmUps; ++i)
    launch(P, S, sets, i % count);
  std::vector<cudaEvent_t> events(2 * Repeats);
  for (cudaEvent_t &event : events)
    must(cudaEventCreate(&event), "event");
  for (int i = 0; i < Repeats; ++i) {
    cudaEventRecord(events[2 * i]);
    launch(P, S, sets, (i + WarmUps) % count);
    cudaEventRecord(events[2 * i + 1]);
  }
  must(cudaDeviceSynchronize(), P.Name);
  std::vector<double> us;
  for (int i = 0; i < Repeats; ++i) {
    float ms;
    must(cudaEventElapsedTime(&ms, events[2 * i], events[2 * i + 1]), "time");
    us.push_back(1e3 * ms);
  }
  for (cudaEvent_t event : events)
    cudaEventDestroy(event);
  std::sort(us.begin(), us.end());
  return {us[Repeats / 2], us[Repeats / 4], us[3 * Repeats / 4]};
}

int setsFor(const Pair &P, Side S, bool counting) {
  if (counting)
    return 1;
  const Count bytes = setBytes(P, S);
  return std::min<Count>(MaxSets,
                         std::max<Count>(2, (Footprint + bytes - 1) / bytes));
}

bool run(const Pair &P, bool counting, unsigned long long seed) {
  Random random{seed};
  void *in[3];
  for (int k = 0; k < P.InputCount; ++k) {
    in[k] = HostIn[k].get(P.Inputs[k].Bytes);
    P.Inputs[k].CallFill(P.Inputs[k].Fill, in[k], P.Inputs[k].Bytes, random);
  }
  if (!counting) {
    std::memset(HostRight.get(P.Output.Bytes), 0, P.Output.Bytes);
    P.Call(P.Reference, HostRight.get(P.Output.Bytes), in);
  }
  Times times[2];
  bool right = true;
  for (Side S : {Slow, Fast}) {
    Sets sets(P, S, setsFor(P, S, counting));
    upload(P, S, sets);
    if (counting) {
      launch(P, S, sets, 0);
      must(cudaDeviceSynchronize(), P.Name);
      continue;
    }
    right &= check(P, S, sets);
    times[S] = time(P, S, sets);
  }
  if (!counting) {
    std::printf("{\"pair\": \"%s\", \"right\": %s, \"bytes\": [%llu, %llu]",
                P.Name, right ? "true" : "false", setBytes(P, Slow),
                setBytes(P, Fast));
    for (Side S : {Slow, Fast})
      std::printf(", \"%s_us\": [%.2f, %.2f, %.2f]",
                  S == Slow ? "slow" : "fast", times[S].Low, times[S].Median,
                  times[S].High);
    std::printf("}\n");
    std::fflush(stdout);
  }
  return right;
}

} // namespace

int main(int argc, char **argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what != "check" && what != "count") {
    std::fprintf(stderr, "usage: pairs check|count [NAME...]\n");
    return 2;
  }
  std::vector<const Pair *> pairs;
  for (const Pair *p = First; p; p = p->Next)
    if (argc == 2 ||
        std::find(argv + 2, argv + argc, std::string(p->Name)) != argv + argc)
      pairs.push_back(p);
  std::sort(pairs.begin(), pairs.end(), [](const Pair *a, const Pair *b) {
    return std::strcmp(a->Name, b->Name) < 0;
  });
  bool right = true;
  for (const Pair *p : pairs)
    right &= run(*p, what == "count", std::random_device()());
  return right ? 0 : 1;
}
