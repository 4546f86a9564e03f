#!/usr/bin/env python3
"""Write implicit_table.h: Radau IIA methods, computed with 60 digits (mpmath).

    python3 core/src/implicit_table.py > core/src/implicit_table.h
"""
from mpmath import mp, mpf, mpc, matrix, polyroots, legendre, polyval, inverse, eig, taylor

mp.dps = 60
STAGES = (5, 7, 9)


def shifted_legendre(k):
    """Coefficients of P_k(2 x - 1), lowest power first."""
    return [mpf((-1) ** (k + j)) * mp.binomial(k, j) * mp.binomial(k + j, j) for j in range(k + 1)]


def nodes(s):
    p, q = shifted_legendre(s), shifted_legendre(s - 1) + [mpf(0)]
    roots = polyroots([a - b for a, b in zip(p, q)][::-1], maxsteps=500, extraprec=400)
    c = sorted(mp.re(r) for r in roots)
    c[-1] = mpf(1)
    return c


def value(coefficients, x):
    return polyval(coefficients[::-1], x)


def method(s):
    c = nodes(s)
    V = matrix(s, s)
    for i in range(s):
        for j in range(s):
            V[i, j] = c[i] ** j
    W = inverse(V)  # column i: the coefficients of Lagrange's polynomial of node i
    A = matrix(s, s)
    for i in range(s):
        for j in range(s):
            A[i, j] = sum(W[k, j] * c[i] ** (k + 1) / (k + 1) for k in range(s))
    E, R = eig(inverse(A))
    order = sorted((i for i in range(s) if mp.im(E[i]) > -mpf(10) ** -30), key=lambda i: abs(mp.im(E[i])))
    mu = [mpc(mp.re(E[i]), 0 if k == 0 else mp.im(E[i])) for k, i in enumerate(order)]
    T = matrix(s, s)
    for k, i in enumerate(order):
        top = max(range(s), key=lambda r: abs(R[r, i]))
        for r in range(s):
            x = R[r, i] / R[top, i]
            if k == 0:
                T[r, 0] = mp.re(x)
            else:
                T[r, 2 * k - 1], T[r, 2 * k] = x, mp.conj(x)
    TI = inverse(T)
    E_ = [[(2 * k + 1) * A[s - 1, i] * value(shifted_legendre(k), c[i]) for i in range(s)]
          for k in range(s)]
    return c, A, A * A, mu, T, TI, E_


def put(name, numbers):
    print("static const double %s[] = {" % name)
    for i in range(0, len(numbers), 4):
        print("    " + ", ".join(mp.nstr(x, 20, min_fixed=-3, max_fixed=3) for x in numbers[i:i + 4]) + ",")
    print("};\n")


print("/* Written by implicit_table.py: Radau IIA methods of %s stages. */" % ", ".join(map(str, STAGES)))
print("/* clang-format off */\n")
for s in STAGES:
    c, A, A2, mu, T, TI, E = method(s)
    pairs = (s - 1) // 2
    put("C%d" % s, c)
    put("A%d" % s, [A[i, j] for i in range(s) for j in range(s)])
    put("B%d" % s, [A2[i, j] for i in range(s) for j in range(s)])
    put("E%d" % s, [x for row in E for x in row])
    put("MU%d" % s, [mp.re(x) for x in mu] + [mp.im(x) for x in mu])
    re, im = [], []
    for i in range(s):
        re.append(mp.re(T[i, 0]))
    for p in range(pairs):
        re += [mp.re(T[i, 2 * p + 1]) for i in range(s)]
    im += [mpf(0)] * s
    for p in range(pairs):
        im += [mp.im(T[i, 2 * p + 1]) for i in range(s)]
    put("T%d" % s, re + im)
    re, im = [mp.re(TI[0, i]) for i in range(s)], [mpf(0)] * s
    for p in range(pairs):
        re += [mp.re(TI[2 * p + 1, i]) for i in range(s)]
        im += [mp.im(TI[2 * p + 1, i]) for i in range(s)]
    put("TI%d" % s, re + im)
