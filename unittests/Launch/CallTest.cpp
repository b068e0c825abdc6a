//===- CallTest.cpp - What calls do to what they are handed ---------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unit.h"
#include "gtest/gtest.h"

using namespace warplint;

// The arguments of `k(PARAMETERS)` launched by `Body` in f(int n, float *q).
static std::string facts(const std::string &Parameters,
                         const std::string &Before, const std::string &Body) {
  Unit U("__global__ void k(" + Parameters + ") {}\n" + Before +
         "\nvoid f(int n, float *q) {" + Body + "}\n");
  return arguments(U.config("k"));
}

static std::string integer(const std::string &Before, const std::string &Body) {
  return facts("int n", Before, Body);
}

TEST(Call, WritesThroughAPointer) {
  EXPECT_EQ(integer("void set(int *p) { *p = 64; }",
                    "int b = 1; set(&b); k<<<1, 32>>>(b);"),
            "64");
  EXPECT_EQ(integer("void set(int *p, int v) { p[0] = v * 2; }",
                    "int b; set(&b, 21); k<<<1, 32>>>(b);"),
            "42");
  // What is not written stays.
  EXPECT_EQ(integer("struct S { int a, b; };\n"
                    "void set(S *s) { s->b = 7; }",
                    "S s; s.a = 5; s.b = 6; set(&s); k<<<1, 32>>>(s.a);"),
            "5");
  EXPECT_EQ(integer("struct S { int a, b; };\n"
                    "void set(S *s) { s->b = s->a + 1; }",
                    "S s; s.a = 5; set(&s); k<<<1, 32>>>(s.b);"),
            "6");
  // Each call by its own arguments.
  EXPECT_EQ(facts("int a, int b", "void set(int *p, int v) { *p = v; }",
                  "int a, b; set(&a, 3); set(&b, 4); k<<<1, 32>>>(a, b);"),
            "3, 4");
}

TEST(Call, ConstantMembersStayConstant) {
  const std::string Before = "struct S { const float a[2] = {1, 2}; int b[2];\n"
                             "  static const int c = 3; const int n = 7;\n"
                             "  S() {} };\n"
                             "void look(const float *a); void change(int *b);";
  EXPECT_EQ(integer(Before, "S s; look(s.a); k<<<1, 32>>>(s.n);"), "7");
  EXPECT_EQ(integer(Before, "S s; int t = s.c; k<<<1, t>>>(s.n);"), "7");
}

TEST(Call, WritesThroughAReference) {
  EXPECT_EQ(integer("void set(int &p) { p = 64; }",
                    "int b = 1; set(b); k<<<1, 32>>>(b);"),
            "64");
  EXPECT_EQ(facts("int a, int b",
                  "void shape(int n, int &t, int &g) {\n"
                  "  t = n < 512 ? n : 512; g = (n + t - 1) / t; }",
                  "int t = 0, g = 0; shape(2000, t, g); k<<<1, 32>>>(t, g);"),
            "512, 4");
  EXPECT_EQ(integer("void set(int &p) { p = 64; k<<<1, 32>>>(p); }",
                    "int b = 1; set(b);"),
            "64");
}

TEST(Call, PassedOn) {
  EXPECT_EQ(integer("void one(int *p) { *p = 9; }\n"
                    "void two(int *p) { one(p); }",
                    "int b; two(&b); k<<<1, 32>>>(b);"),
            "9");
  EXPECT_EQ(integer("struct S { int a, b; };\n"
                    "void one(int *p) { *p = 9; }\n"
                    "void two(S &s) { one(&s.b); s.a = 1; }",
                    "S s; two(s); k<<<1, 32>>>(s.b);"),
            "9");
}

TEST(Call, MayOrMayNotWrite) {
  Unit U("__global__ void k(int n) {}\n"
         "void set(int *p, int c) { if (c) *p = 64; }\n"
         "void f(int n) { int b = 32; set(&b, n); k<<<1, b>>>(b);\n"
         "  int c = 48; set(&c, 0); k<<<1, c>>>(c); }\n");
  EXPECT_EQ(blocks(U.configs("k")), "32x1x1 64x1x1 48x1x1");
  EXPECT_EQ(integer("int fails(); void set(int *p) {\n"
                    "  if (fails()) exit(1); *p = 64; }",
                    "int b = 48; set(&b); k<<<1, 32>>>(b);"),
            "64");
}

TEST(Call, CallersPointees) {
  const std::string P = "struct P { int n; dim3 b; };\n";
  EXPECT_EQ(integer(P + "void run(const P *p) { k<<<1, 32>>>(p->n); }",
                    "P a; a.n = 5; run(&a);"),
            "5");
  EXPECT_EQ(integer("void run(const int *p) { k<<<1, 32>>>(p[1]); }",
                    "int a[2] = {3, 4}; run(a);"),
            "4");
  EXPECT_EQ(integer("void run(int *p) { ++*p; k<<<1, 32>>>(*p); }",
                    "int a = 3; run(&a);"),
            "4");
  Unit U("__global__ void k(int n) {}\n" + P +
         "static void run(const P *p) { k<<<1, p->b>>>(p->n); }\n"
         "void f() { P a; a.n = 5; a.b = dim3(32, 2); run(&a);\n"
         "  a.n = 6; a.b.y = 4; run(&a); }\n");
  std::vector<LaunchConfig> All = U.configs("k");
  ASSERT_EQ(blocks(All), "32x2x1 32x4x1");
  EXPECT_EQ(arguments(All[0]), "5");
  EXPECT_EQ(arguments(All[1]), "6");
}

TEST(Call, OutOfSight) {
  for (const char *Set : {"void set(int *p);",
                          "int *keep; void set(int *p) { keep = p; *p = 3; }",
                          "void set(int *p) { ++p; *p = 3; }",
                          "void g(int *); void set(int *p) { *p = 3; g(p); }",
                          "void set(int *p) { int *q = p; *q = 3; }"})
    EXPECT_EQ(integer(Set, "int b = 32; set(&b); k<<<1, 32>>>(b);"), "?")
        << Set;
}

TEST(Call, Allocates) {
  EXPECT_EQ(facts("float *a, float *b",
                  "template <class T> void make(T **p, size_t n) {\n"
                  "  if (cudaMalloc((void **)p, n * sizeof(T))) exit(1); }",
                  "float *x, *y; make(&x, 9); make(&y, 9);"
                  " k<<<1, 32>>>(x + 1, y);"),
            "x+4 (256), y+0 (256)");
  EXPECT_EQ(facts("float *a, float *b",
                  "struct S { float *a, *b; };\nvoid make(S *s) {\n"
                  "  cudaMalloc(&s->a, 9); cudaMalloc(&s->b, 9); }",
                  "S s; make(&s); k<<<1, 32>>>(s.a, s.b + 2);"),
            "s.a+0 (256), s.b+8 (256)");
}

TEST(Call, FillsAStruct) {
  const std::string P = "struct P { float *in, *out; int n, stride; };";
  Unit U(P + "\n__global__ void k(P p) {}\n"
             "void fill(P *p, float *q, int n) { p->in = q;\n"
             "  p->out = q + n; p->n = n; p->stride = 4 * n; }\n"
             "void f(float *q, int m) { P p; fill(&p, q, 100);\n"
             "  k<<<1, 32>>>(p); }\n");
  EXPECT_EQ(arguments(U.config("k")), "? {0: q+0, 8: q+400, 16: 100, 20: 400}");
  Unit V(P + "\n__global__ void k(P p) {}\n"
             "void fill(P *p, float *q, int n) { p->in = q;\n"
             "  p->out = q + n; p->n = n; p->stride = 4 * n; }\n"
             "void f(float *q, int m) { P p; fill(&p, q, 8 * m);\n"
             "  k<<<1, 32>>>(p); }\n");
  EXPECT_EQ(arguments(V.config("k")),
            "? {0: q+0, 8: q? (32), 16: ? (8), 20: ? (32)}");
}

TEST(Call, Methods) {
  const std::string Class =
      "struct S { int b; float *d; int twice() { return 2 * b; }\n"
      "  void init(int n) { b = n; cudaMalloc(&d, n); }\n"
      "  void more() { init(b + 1); } float *data() { return d + 4; } };";
  EXPECT_EQ(integer(Class, "S s; s.init(5); k<<<1, 32>>>(s.b);"), "5");
  EXPECT_EQ(integer(Class, "S s; s.init(5); s.more(); k<<<1, 32>>>(s.b);"),
            "6");
  EXPECT_EQ(integer(Class, "S s; s.init(5); k<<<1, 32>>>(s.twice());"), "10");
  // A class's own data() is what it says, not the start of its storage.
  EXPECT_EQ(
      facts("float *p", Class, "S s; s.init(5); k<<<1, 32>>>(s.data() + 1);"),
      "s+20 (256)");
}

TEST(Call, Constructors) {
  EXPECT_EQ(
      facts("float *a, float *b",
            "struct Buffer { float *p; Buffer(int n) {\n"
            "  cudaMalloc((void **)&p, n); } float *get() { return p; } };",
            "Buffer x(9), y(9); k<<<1, 32>>>(x.get(), y.p + 1);"),
      "x+0 (256), y.p+4 (256)");
  EXPECT_EQ(integer("struct S { int n, m; S(int a) : n(a) {\n"
                    "  m = n + 1; if (m > 3) m = 3; } };",
                    "S s(9); k<<<1, 32>>>(s.m);"),
            "3");
}

TEST(Call, Library) {
  EXPECT_EQ(facts("float *a, float *b, float *c", "",
                  "thrust::device_vector<float> v(9);"
                  " k<<<1, 32>>>(thrust::raw_pointer_cast(v.data()) + 1,"
                  " thrust::raw_pointer_cast(&v[3]),"
                  " thrust::raw_pointer_cast(v.data() + 5));"),
            "v+4 (256), v+12 (256), v+20 (256)");
  EXPECT_EQ(facts("float *a", "",
                  "thrust::device_vector<float> v(9);"
                  " k<<<1, 32>>>(thrust::raw_pointer_cast(&v[n]));"),
            "v? (4)");
  EXPECT_EQ(integer("", "std::array<int, 2> a = {{6, 9}}; k<<<1, 32>>>(a[1]);"),
            "9");
  EXPECT_EQ(integer("", "k<<<1, 32>>>(std::max({6, 9, 3}));"), "9");
  EXPECT_EQ(integer("", "cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);"
                        " k<<<1, 32>>>(p.warpSize * 2);"),
            "64");
}

TEST(Call, PitchedAllocations) {
  EXPECT_EQ(facts("float *a, size_t p", "",
                  "cudaPitchedPtr d; cudaMalloc3D(&d, {9, 9, 9});"
                  " k<<<1, 32>>>((float *)d.ptr, d.pitch / 4);"),
            "d.ptr+0 (256), ? (128)");
  // A row through the pitch.
  EXPECT_EQ(facts("float *a", "",
                  "float *d; size_t w; cudaMallocPitch((void **)&d, &w, 9, 9);"
                  " k<<<1, 32>>>((float *)((char *)d + n * w));"),
            "d? (256)");
}
