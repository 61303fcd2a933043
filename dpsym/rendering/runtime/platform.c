/* Intervals of doubles, every operation rounded outward. IEEE arithmetic is correctly rounded, so its neighbours enclose
   it; of exp, log and tanh it is assumed that they are within 4 units in the last place. Do not use -ffast-math. */
#include <float.h>
#include <math.h>
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "needs arithmetic in double precision (on x86: -msse2 -mfpmath=sse)"
#endif
#ifdef __FAST_MATH__
#error "-ffast-math would make the bounds wrong"
#endif

typedef struct { double lo, hi; } iv;
typedef iv (*iv_function)(iv, const iv *);

static inline double iv_below(double x, int steps) { while (steps-- > 0) x = nextafter(x, -INFINITY); return x; }
static inline double iv_above(double x, int steps) { while (steps-- > 0) x = nextafter(x, INFINITY); return x; }
static inline iv iv_of(double lo, double hi) {
    iv x = { isnan(lo) ? -INFINITY : lo, isnan(hi) ? INFINITY : hi };
    return x;
}
static inline iv iv_num(double x) { return iv_of(x, x); }
static inline iv iv_nothing(void) { iv x = { NAN, NAN }; return x; }
static inline int iv_is_nothing(iv x) { return isnan(x.lo) || isnan(x.hi); }
static inline iv iv_pi(void) { return iv_of(3.141592653589793, 3.1415926535897936); }
static inline iv iv_pair(double lo, double hi) { iv x = { lo, hi }; return x; }
static inline double iv_single(double x) { return (double)(float)x; }
static inline double iv_power_of_two(int n) { return ldexp(1, n); }
