#!/usr/bin/env python3
"""Writes series_reference.h: Taylor coefficients of elementary functions, rounded once from 50 digits.

    python3 core/tests/series_reference.py > core/tests/series_reference.h

Needs mpmath.  Each entry expands f(u(t)) with u(t) = a + t, or with the curved u(t) = a + CURVE.
The derivatives of f come from Cauchy's integral, which knows nothing of the recurrences under test.
"""
import mpmath

mpmath.mp.dps = 120
ORDER = 30
CURVE = ["0.5", "-0.25", "0.125"]  # coefficients 1 to 3


def atan2(u, a):
    """atan2(u, x) for x = -1.5 + (u - a), which stays negative near a."""
    return mpmath.atan(u / (u - a - 1.5)) + (mpmath.pi if a >= 0 else -mpmath.pi)


def plain(f):
    return lambda u, a: f(u)


# One rounding of 1 - x is all that is left of it.
NEAR_ONE = repr(1 - 2.0**-30)

# name, function of u and the point a, points
FUNCTIONS = [
    ("exp", plain(mpmath.exp), ["0", "1", "-2"]),
    ("log", plain(mpmath.log), ["1", "0.5", "3", repr(1 + 2.0**-40), "1e-6"]),
    ("sin", plain(mpmath.sin), ["0", "0.75", "-2"]),
    ("cos", plain(mpmath.cos), ["0", "0.75", "-2"]),
    ("tan", plain(mpmath.tan), ["0", "0.75", "-1.25", "1.5703125"]),
    ("asin", plain(mpmath.asin), ["0", "0.5", "-0.75", "1e-12", NEAR_ONE, "-" + NEAR_ONE]),
    ("acos", plain(mpmath.acos), ["0", "0.5", "-0.75", "1e-12", NEAR_ONE, "-" + NEAR_ONE]),
    ("atan", plain(mpmath.atan), ["0", "0.75", "-2", "64"]),
    ("atan2", atan2, ["0", "0.75", "-2"]),
    ("sinh", plain(mpmath.sinh), ["0", "0.75", "-2", "1e-9", "30"]),
    ("cosh", plain(mpmath.cosh), ["0", "0.75", "-2", "30"]),
    ("tanh", plain(mpmath.tanh), ["0", "0.75", "-2", "15", "-40"]),
    ("sqrt", plain(mpmath.sqrt), ["1", "0.5", "3", "1e-6"]),
    ("pow", plain(lambda u: mpmath.power(u, mpmath.mpf("-1.75"))), ["1", "0.5", "3"]),
]


# Where functions are singular, if that is within 1/4 of a point.
HALF_PI = mpmath.pi / 2
SINGULAR = {"log": [0], "sqrt": [0], "pow": [0], "asin": [-1, 1], "acos": [-1, 1],
            "tan": [-HALF_PI, HALF_PI]}


def radius(name, a):
    """At most half of the distance to a singularity."""
    return min([mpmath.mpf("0.125")] + [abs(a - s) / 2 for s in SINGULAR.get(name, [])])


def derivatives(f, a, radius):
    """f_k = 1/(N r^k) sum_n f(a + r w^n) w^(-kn), the trapezoidal rule on a circle."""
    count = 512
    roots = [mpmath.expjpi(mpmath.mpf(2) * n / count) for n in range(count)]
    values = [f(a + radius * w, a) for w in roots]
    last = abs(sum(values[n] * (-1)**n for n in range(count))) / count  # 2^-256 of the largest
    assert last < mpmath.mpf("1e-40") * max(abs(v) for v in values), (
        f"near {mpmath.nstr(a, 6)} the function is singular: say where in SINGULAR")
    return [sum(values[n] * roots[(-k * n) % count] for n in range(count)).real
            / count / radius**k for k in range(ORDER + 1)]


def compose(outer, step):
    """sum_k outer_k step^k, exact to ORDER because step starts with t."""
    result = [mpmath.mpf(0)] * (ORDER + 1)
    for k in range(ORDER, -1, -1):
        result = [sum(result[j] * step[i - j] for j in range(i + 1)) for i in range(ORDER + 1)]
        result[0] += outer[k]
    return result


def taylor(name, f, point, curved):
    a = mpmath.mpf(float(point))  # what C reads
    rise = [mpmath.mpf(c) for c in (CURVE if curved else ["1"])]
    step = ([mpmath.mpf(0)] + rise + [mpmath.mpf(0)] * ORDER)[:ORDER + 1]
    return compose(derivatives(f, a, radius(name, a)), step)


def literal(x):
    return "0" if abs(x) < mpmath.mpf("1e-70") else repr(float(x))


HEAD = """/* Made by series_reference.py; do not edit. */
enum { REFERENCE_ORDER = %d };
static const double reference_curve[] = {%s};
typedef struct Reference {
  const char *name;
  double point;
  int curved; /* u = point + curve, else point + t */
  double c[REFERENCE_ORDER + 1];
} Reference;
/* clang-format off */
static const Reference references[] = {"""


def main():
    print(HEAD % (ORDER, ", ".join(CURVE)))
    for name, f, points in FUNCTIONS:
        for point in points:
            for curved in (0, 1):
                print(f'  {{"{name}", {point}, {curved}, {{')
                c = [literal(x) for x in taylor(name, f, point, curved)]
                for i in range(0, len(c), 4):
                    print("    " + ", ".join(c[i:i + 4]) + ",")
                print("  }},")
    print("};")
    print("/* clang-format on */")


main()
