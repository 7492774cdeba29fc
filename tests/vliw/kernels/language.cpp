// What compilers write beside kernels: exceptions, jump tables, thread-local storage, inline
// assembly, atomics, variable arguments, computed jumps. Compiled by hostile_test, never run.
struct A {
  A(int);
  ~A();
  int x;
  virtual int f();
};
int g(int);
thread_local int tls = 3;
extern thread_local int ext_tls;
static thread_local long st;
int A::f() { return x + tls; }
struct B : A {
  B(int i) : A(i) {}
  int f() override { return A::f() * 2; }
};
int h(int a) {
  A l(a);
  try {
    A m(a + 1);
    if (g(a) > 3) throw a;
    return m.x;
  } catch (int e) {
    return e + g(2);
  } catch (...) {
    throw;
  }
}
int sw(int x, int* p) {
  switch (x) {
    case 0:
      return p[1];
    case 1:
      return p[2] * 3;
    case 2:
      return g(p[0]);
    case 3:
      return 77;
    case 4:
      p[3]++;
      return 1;
    case 5:
      return p[9];
    case 6:
      return x << p[1];
    case 7:
      return 9;
    default:
      return -1;
  }
}
int t() { return ++tls + ext_tls + (int)++st; }
int dyn(A* a) { return a->f(); }
B* mk(int i) { return new B(i); }
extern "C" int inl(int a, int b) {
  int r;
  asm volatile("{ %0 = add(%1,%2) }\n\t{ nop }" : "=r"(r) : "r"(a), "r"(b));
  asm volatile("1: %0 = sub(%1,%2)\n\tif (p0) jump 1b" : "=r"(r) : "r"(r), "r"(b) : "p0");
  asm("r7 = memw_locked(%0)\nmemw_locked(%0,p0)=r7" ::"r"(&a) : "r7", "p0", "memory");
  return r;
}
long long mul(long long a, long long b) { return a * b / 7; }
float fl(float* a, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) s += a[i] * a[i] / 3.0f;
  return s;
}
double db(double a, double b) { return a * b + a / b; }
void cp(char* d, const char* s, int n) {
  for (int i = 0; i < n; i++) d[i] = s[i];
}
typedef int (*fp)(int);
fp tab[4] = {g, g, 0, 0};
int ind(int i, int j) { return tab[i](j); }
struct Big {
  int v[40];
};
Big big(Big b) {
  b.v[3] += 2;
  return b;
}
int va(int n, ...) {
  __builtin_va_list l;
  __builtin_va_start(l, n);
  int s = 0;
  while (n--) s += __builtin_va_arg(l, int);
  __builtin_va_end(l);
  return s;
}
int* at;
int atom(int v) {
  return __atomic_fetch_add((int*)at, v, __ATOMIC_SEQ_CST) +
         __atomic_exchange_n((int*)at, v, __ATOMIC_ACQ_REL);
}
long long at8(long long* p) { return __atomic_fetch_or(p, 5, __ATOMIC_SEQ_CST); }
int rec(int n) { return n < 2 ? n : rec(n - 1) + rec(n - 2); }
__attribute__((noinline)) int many(int a, int b, int c, int d, int e, int f, int g_, int h_) {
  return a + b * c - d + e * f + g_ * h_;
}
int callm(int x) { return many(x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7); }
void* vla(int n) {
  char b[n];
  return __builtin_memcpy(__builtin_alloca(n), b, n);
}
int lbl(int i) {
  static void* l[] = {&&a, &&b, &&c};
  goto* l[i];
a:
  return 1;
b:
  return g(2);
c:
  return 3;
}
