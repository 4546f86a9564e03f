"""The digits of spec/sensitivity_accuracy_spec.lua: derivatives of motions, by mpmath.

    python3 spec/sensitivity_reference.py [squeezer | loop | arm | slip | stiff]

prints Lua tables.  Derivatives are complex steps of 1e-25 with 60 digits.  Mechanisms of one freedom
that lose no energy are integrals: t = integral of dx (M / (2 (E - V)))^1/2 over a coordinate x, with
M and V from loops closed by circles; the driven arm and the spring pendulum are integrated by
extrapolated midpoints, to 40 and to 13 digits; stick and slip are closed forms between instants.
"""
import sys
import mpmath as mp

mp.mp.dps = 60
H = mp.mpf(10) ** -25
I = mp.mpc(0, 1)


def gauss_nodes(n):
    """Gauss-Legendre on 0 ... 1."""
    nodes = []
    for i in range(n):
        x = mp.cos(mp.pi * (i + mp.mpf(3) / 4) / (n + mp.mpf(1) / 2))
        for _ in range(12):
            p0, p1 = mp.mpf(1), x
            for k in range(2, n + 1):
                p0, p1 = p1, ((2 * k - 1) * x * p1 - (k - 1) * p0) / k
            slope = n * (x * p1 - p0) / (x * x - 1)
            x -= p1 / slope
        nodes.append(((1 + x) / 2, 1 / ((1 - x * x) * slope ** 2)))
    return nodes


NODES = gauss_nodes(48)


def integral(f, a, b, pieces):
    total, step = mp.mpf(0), (b - a) / pieces
    for i in range(pieces):
        for x, w in NODES:
            total += w * step * f(a + step * (i + x))
    return total


def circles(dx, dy, r1, r2, side):
    """The angle of the first of two rods r1, r2 that reach (dx, dy): r1 (cos, sin) + r2 (...)."""
    square = dx * dx + dy * dy
    along = (square + r1 * r1 - r2 * r2) / 2
    across = side * mp.sqrt(r1 * r1 * square - along * along)
    return (along * dx - across * dy) / square, (along * dy + across * dx) / square


def angle(x, y, near):
    """log(x + i y)/i for complex x and y; the turn nearest to a number."""
    a = -I * mp.log((x + I * y) / mp.sqrt(x * x + y * y))
    turns = mp.nint(mp.re(near - a) / (2 * mp.pi))
    return a + 2 * mp.pi * turns


# --- Andrews' squeezer --------------------------------------------------------------------------

SQUEEZER = {k: mp.mpf(v) for k, v in dict(
    m1='.04325', m2='.00365', m3='.02373', m4='.00706', m5='.07050', m6='.00706', m7='.05498',
    I1='2.194e-6', I2='4.410e-7', I3='5.255e-6', I4='5.667e-7', I5='1.169e-5', I6='5.667e-7',
    I7='1.912e-5', xa='-.06934', ya='-.00227', xb='-.03635', yb='.03273', xc='.014', yc='.072',
    c0='4530', l0='.07785', mom='.033', d='.028', da='.0115', e='.02', ea='.01421', rr='.007',
    ra='.00092', ss='.035', sa='.01874', sb='.01043', sc='.018', sd='.02', ta='.02308',
    tb='.00916', u='.04', ua='.01228', ub='.00449', zf='.02', zt='.04', fa='.01421').items()}
START = [mp.mpf(x) for x in ('-0.0617138900142764496', '0', '0.455279819163070380',
                             '0.222668390165885885', '0.487364979543842550',
                             '-0.222668390165885885', '1.23054744454982119')]


def squeezer_positions(p, be):
    """q(be): each loop is two circles.  Sides are those of the start."""
    ax, ay = p['rr'] * mp.cos(be), p['rr'] * mp.sin(be)
    # P = a - d (cos, sin)(be + th) = b + ss (sin ga, -cos ga)
    x, y = circles(p['xb'] - ax, p['yb'] - ay, p['d'], p['ss'], SIDES[0])
    P = ax + x, ay + y
    th = angle(-x, -y, be) - be
    ga = angle((p['yb'] - P[1]), (P[0] - p['xb']), mp.mpf('0.4'))
    x, y = circles(P[0] - p['xa'], P[1] - p['ya'], p['zt'], p['e'], SIDES[1])
    de = angle(x, y, mp.mpf('0.5'))
    rx, ry = P[0] - p['xa'] - x, P[1] - p['ya'] - y  # e (sin, -cos)(ph + de)
    ph = angle(-ry, rx, mp.mpf('0.7')) - de
    # P - a = zf (cos, sin)(om + ep) + u (sin, -cos) ep
    x, y = circles(P[0] - p['xa'], P[1] - p['ya'], p['u'], p['zf'], SIDES[2])
    ep = angle(-y, x, mp.mpf('1.2'))
    om = angle(P[0] - p['xa'] - x, P[1] - p['ya'] - y, mp.mpf('1')) - ep
    return [be, th, ga, ph, de, om, ep]


def squeezer_matrix(p, q):
    be, th, ga, ph, de, om, ep = q
    m, J = [p['m%d' % (i + 1)] for i in range(7)], [p['I%d' % (i + 1)] for i in range(7)]
    e, z = p['e'] - p['ea'], p['zf'] - p['fa']
    M = [[mp.mpf(0)] * 7 for _ in range(7)]
    c, s, so = mp.cos(th), mp.sin(ph), mp.sin(om)
    M[0][0] = m[0] * p['ra'] ** 2 + m[1] * (p['rr'] ** 2 - 2 * p['da'] * p['rr'] * c
                                            + p['da'] ** 2) + J[0] + J[1]
    M[0][1] = M[1][0] = m[1] * (p['da'] ** 2 - p['da'] * p['rr'] * c) + J[1]
    M[1][1] = m[1] * p['da'] ** 2 + J[1]
    M[2][2] = m[2] * (p['sa'] ** 2 + p['sb'] ** 2) + J[2]
    M[3][3] = m[3] * e ** 2 + J[3]
    M[3][4] = M[4][3] = m[3] * (e ** 2 + p['zt'] * e * s) + J[3]
    M[4][4] = (m[3] * (p['zt'] ** 2 + 2 * p['zt'] * e * s + e ** 2)
               + m[4] * (p['ta'] ** 2 + p['tb'] ** 2) + J[3] + J[4])
    M[5][5] = m[5] * z ** 2 + J[5]
    M[5][6] = M[6][5] = m[5] * (z ** 2 - p['u'] * z * so) + J[5]
    M[6][6] = (m[5] * (z ** 2 - 2 * p['u'] * z * so + p['u'] ** 2)
               + m[6] * (p['ua'] ** 2 + p['ub'] ** 2) + J[5] + J[6])
    return M


def squeezer_jacobian(p, q):
    be, th, ga, ph, de, om, ep = q
    s, c = mp.sin, mp.cos
    Xb = -p['rr'] * s(be) + p['d'] * s(be + th)
    Yb = p['rr'] * c(be) - p['d'] * c(be + th)
    Xt, Yt = p['d'] * s(be + th), -p['d'] * c(be + th)
    return [[Xb, Xt, -p['ss'] * c(ga), 0, 0, 0, 0],
            [Yb, Yt, -p['ss'] * s(ga), 0, 0, 0, 0],
            [Xb, Xt, 0, -p['e'] * c(ph + de), -p['e'] * c(ph + de) + p['zt'] * s(de), 0, 0],
            [Yb, Yt, 0, -p['e'] * s(ph + de), -p['e'] * s(ph + de) - p['zt'] * c(de), 0, 0],
            [Xb, Xt, 0, 0, 0, p['zf'] * s(om + ep), p['zf'] * s(om + ep) - p['u'] * c(ep)],
            [Yb, Yt, 0, 0, 0, -p['zf'] * c(om + ep), -p['zf'] * c(om + ep) - p['u'] * s(ep)]]


def squeezer_constraints(p, q):
    be, th, ga, ph, de, om, ep = q
    s, c = mp.sin, mp.cos
    X = p['rr'] * c(be) - p['d'] * c(be + th)
    Y = p['rr'] * s(be) - p['d'] * s(be + th)
    return [X - p['ss'] * s(ga) - p['xb'], Y + p['ss'] * c(ga) - p['yb'],
            X - p['e'] * s(ph + de) - p['zt'] * c(de) - p['xa'],
            Y + p['e'] * c(ph + de) - p['zt'] * s(de) - p['ya'],
            X - p['zf'] * c(om + ep) - p['u'] * s(ep) - p['xa'],
            Y - p['zf'] * s(om + ep) + p['u'] * c(ep) - p['ya']]


def solve2(a, b, c, d, x, y):
    det = a * d - b * c
    return (d * x - b * y) / det, (a * y - c * x) / det


def squeezer_rates(p, q):
    """dq / d be"""
    G = squeezer_jacobian(p, q)
    th, ga = solve2(G[0][1], G[0][2], G[1][1], G[1][2], -G[0][0], -G[1][0])
    x, y = G[2][0] + G[2][1] * th, G[3][0] + G[3][1] * th
    ph, de = solve2(G[2][3], G[2][4], G[3][3], G[3][4], -x, -y)
    om, ep = solve2(G[4][5], G[4][6], G[5][5], G[5][6], -x, -y)
    return [mp.mpf(1), th, ga, ph, de, om, ep]


def squeezer_potential(p, q):
    ga = q[2]
    dx = p['sd'] * mp.cos(ga) + p['sc'] * mp.sin(ga) + p['xb'] - p['xc']
    dy = p['sd'] * mp.sin(ga) - p['sc'] * mp.cos(ga) + p['yb'] - p['yc']
    return -p['mom'] * q[0] + p['c0'] / 2 * (mp.sqrt(dx * dx + dy * dy) - p['l0']) ** 2


def squeezer_speed(p, be, E):
    q = squeezer_positions(p, be)
    u, M = squeezer_rates(p, q), squeezer_matrix(p, q)
    inertia = sum(u[i] * M[i][j] * u[j] for i in range(7) for j in range(7) if M[i][j] != 0)
    return mp.sqrt(2 * (E - squeezer_potential(p, q)) / inertia), q, u


def find_sides():
    global SIDES
    for k in range(8):
        SIDES = [1 if k & 1 << i else -1 for i in range(3)]
        q = squeezer_positions(SQUEEZER, START[0])
        if max(abs(a - b) for a, b in zip(q, START)) < 1e-12:
            return q
    raise SystemExit('no sides')


def squeezer_time(p, be0, be, pieces):
    """From rest at be0: be = be0 + s^2."""
    E = squeezer_potential(p, squeezer_positions(p, be0))
    end = mp.sqrt(be - be0)
    return integral(lambda s: 2 * s / squeezer_speed(p, be0 + s * s, E)[0], mp.mpf(0), end, pieces)


def projected(p, name, q):
    """How the start changes: M dq + G^T x = 0, G dq = -g_p."""
    changed = dict(p)
    changed[name] = p[name] + I * H
    slope = [mp.im(x) / H for x in squeezer_constraints(changed, q)]
    M, G = squeezer_matrix(p, q), squeezer_jacobian(p, q)
    A = mp.zeros(13)
    b = mp.zeros(13, 1)
    for i in range(7):
        for j in range(7):
            A[i, j] = M[i][j]
    for i in range(6):
        b[7 + i] = -slope[i]
        for j in range(7):
            A[7 + i, j] = A[j, 7 + i] = G[i][j]
    return mp.lu_solve(A, b)[0]


def squeezer(T=mp.mpf('0.01'), pieces=6):
    p, q0 = SQUEEZER, find_sides()
    be0 = q0[0]
    E = squeezer_potential(p, q0)
    be = be0 + mp.mpf('0.5')
    for _ in range(60):
        off = T - squeezer_time(p, be0, be, pieces)
        be += off * squeezer_speed(p, be, E)[0]
        if abs(off) < mp.mpf(10) ** -45:
            break
    speed, q, u = squeezer_speed(p, be, E)
    check = abs(squeezer_time(p, be0, be, pieces + 3) - T)
    print('-- squeezer, t = %s: quadrature agrees to %s' % (mp.nstr(T, 3), mp.nstr(check / T, 3)))
    print('  q = { %s },' % ', '.join(mp.nstr(mp.re(x), 25) for x in q))
    names = sorted(n for n in p if n not in ('c0', 'l0', 'mom'))
    for name in names:
        changed = dict(p)
        changed[name] = p[name] + I * H
        dbe0 = projected(p, name, q0)
        start = be0 + I * H * dbe0
        time = squeezer_time(changed, start, mp.mpc(be), pieces)
        dbe = -mp.im(time) / H * speed
        energy = squeezer_potential(changed, squeezer_positions(changed, start))
        w, qc, uc = squeezer_speed(changed, be + I * H * dbe, energy)
        row = [mp.im(x) / H for x in qc] + [mp.im(w * uc[0]) / H, mp.im(w * uc[1]) / H]
        print('  %s = { %s },' % (name, ', '.join(mp.nstr(x, 22) for x in row)))
        sys.stdout.flush()


# --- a four-bar of spatial hinges ---------------------------------------------------------------

LOOP = {k: mp.mpf(v) for k, v in dict(height='1.1', mass='0.8', rate='3').items()}
GRAVITY = mp.mpf('9.81')


def loop_speed(p, x, E):
    """A.rate at A.angle = x; E: the energy, None at the start."""
    h, r = p['height'], mp.sqrt(5)
    length = mp.sqrt(4 + (2 - h) ** 2)
    B, dB = (-h * mp.sin(x), h * mp.cos(x)), (-h * mp.cos(x), -h * mp.sin(x))
    cx, cy = circles(3 - B[0], -B[1], length, r, 1)
    C = B[0] + cx, B[1] + cy
    # dC is perpendicular to the rocker; cx (dC - dB) = 0 along the coupler
    turn = -C[1], C[0] - 3
    rate = (cx * dB[0] + cy * dB[1]) / (cx * turn[0] + cy * turn[1])
    dC = rate * turn[0], rate * turn[1]
    dot = lambda a, b: a[0] * b[0] + a[1] * b[1]
    inertia = (p['mass'] * dot(dB, dB) + dot(dC, dC) + dot(dB, dB) + dot(dB, dC) + dot(dC, dC)) / 3
    V = GRAVITY * (p['mass'] * B[1] / 2 + (B[1] + C[1]) / 2 + C[1] / 2)
    if E is None:
        return inertia * p['rate'] ** 2 / 2 + V
    return mp.sqrt(2 * (E - V) / inertia), C


def loop(T=mp.mpf('0.5'), pieces=6):
    x = mp.mpf(1)
    E = loop_speed(LOOP, mp.mpf(0), None)
    time = lambda p, E, x, n: integral(lambda a: 1 / loop_speed(p, a, E)[0], 0 * x, x, n)
    for _ in range(60):
        off = T - time(LOOP, E, x, pieces)
        x += off * loop_speed(LOOP, x, E)[0]
        if abs(off) < mp.mpf(10) ** -45:
            break
    check = abs(time(LOOP, E, x, pieces + 3) - T)
    w, C = loop_speed(LOOP, x, E)
    print('-- loop, t = %s: quadrature agrees to %s' % (mp.nstr(T, 3), mp.nstr(check, 3)))
    print('  values = { %s },' % ', '.join(mp.nstr(y, 25) for y in (x, w, C[0], C[1])))
    for name in sorted(LOOP):
        p = dict(LOOP)
        p[name] += I * H
        energy = loop_speed(p, mp.mpc(0), None)
        dx = -mp.im(time(p, energy, mp.mpc(x), pieces)) / H * w
        rate, point = loop_speed(p, x + I * H * dx, energy)
        row = [dx] + [mp.im(y) / H for y in (rate, point[0], point[1])]
        print('  %s = { %s },' % (name, ', '.join(mp.nstr(y, 22) for y in row)))
        sys.stdout.flush()


# --- ordinary differential equations ------------------------------------------------------------

def midpoints(f, t, y, h, n):
    step = h / n
    before, now = y, [a + step * b for a, b in zip(y, f(t, y))]
    for i in range(1, n):
        slope = f(t + i * step, now)
        before, now = now, [a + 2 * step * b for a, b in zip(before, slope)]
    slope = f(t + h, now)
    return [(a + b + step * c) / 2 for a, b, c in zip(before, now, slope)]


def integrate(f, y, T, steps, columns=14):
    """Extrapolated midpoints, 2, 4, 6, … of them, `steps` times."""
    h = T / steps
    for k in range(steps):
        table = []
        for i in range(columns):
            row = [midpoints(f, k * h, y, h, 2 * i + 2)]
            for j in range(i):
                ratio = mp.mpf(i + 1) ** 2 / mp.mpf(i - j) ** 2 - 1
                row.append([a + (a - b) / ratio for a, b in zip(row[j], table[j])])
            table = row
        y = table[-1]
    return y


def differences(what, values, start, rates, T, steps, tell):
    """Integrate for each value with a complex step, and once with fewer steps to compare."""
    def run(p, n):
        return tell(p, integrate(lambda t, y: rates(p, t, y), start(p), T, n))
    known, other = run(values, steps), run(values, steps * 3 // 4)
    off = max(abs(a - b) for a, b in zip(known, other))
    print('-- %s, t = %s: steps of another length agree to %s' % (what, mp.nstr(T, 3),
                                                                 mp.nstr(off, 3)))
    print('  values = { %s },' % ', '.join(mp.nstr(y, 25) for y in known))
    for name in sorted(values):
        if name[0] == '_':
            continue
        p = dict(values)
        p[name] += I * H
        row = [mp.im(y) / H for y in run(p, steps)]
        print('  %s = { %s },' % (name, ', '.join(mp.nstr(y, 22) for y in row)))
        sys.stdout.flush()


# A link that is turned by A sin(w t), and a rod with a spring in its hinge at the end of it.

def arm(T=mp.mpf(1), steps=24):
    def rates(p, t, y):
        a = p['A'] * mp.sin(p['w'] * t)
        da, dda = p['A'] * p['w'] * mp.cos(p['w'] * t), -p['w'] ** 2 * a
        s, c = mp.sin(a), mp.cos(a)
        ax = p['l1'] * (-dda * s - da ** 2 * c)
        ay = p['l1'] * (dda * c - da ** 2 * s) + GRAVITY
        turn = -(ay * mp.cos(y[0]) - ax * mp.sin(y[0])) * p['l2'] / 2
        return [y[1], 3 / p['l2'] ** 2 * (turn - p['k'] * (y[0] - a) / p['m'])]

    def start(p):
        return [mp.mpf(0), p['A'] * p['w'] + p['rate']]

    def tell(p, y):
        a, da = p['A'] * mp.sin(p['w'] * T), p['A'] * p['w'] * mp.cos(p['w'] * T)
        return [y[0] - a, y[1] - da]
    values = {k: mp.mpf(v) for k, v in dict(A='0.8', w='3', l1='0.7', l2='0.9', k='5', m='1.3',
                                            rate='0.5').items()}
    differences('arm', values, start, rates, T, steps, tell)


# A mass on a spring of 1e8 N/m, with a damper.

def stiff(T=mp.mpf('0.2'), steps=400):
    def rates(p, t, y):
        r = mp.sqrt(y[0] ** 2 + y[1] ** 2)
        pull = (p['_k'] * (r - 1) + p['_c'] * (y[0] * y[2] + y[1] * y[3]) / r) / (r * p['m'])
        return [y[2], y[3], -pull * y[0], -pull * y[1] - p['g'] / p['m']]
    values = {k: mp.mpf(v) for k, v in dict(_k='1e8', _c='1e4', g='9.81', m='1.2',
                                            speed='0.5').items()}
    mp.mp.dps = 45
    differences('stiff', values, lambda p: [mp.mpf(1), mp.mpf(0), mp.mpf(0), p['speed']], rates, T,
                steps, lambda p, y: y)


# --- stick and slip -----------------------------------------------------------------------------

def slip_states(p, T):
    """A block pulled by a spring whose end moves with V: closed forms from instant to instant."""
    w = mp.sqrt(p['k'] / p['m'])
    hold, drag = p['still'] * p['m'] * GRAVITY, p['mu'] * p['m'] * GRAVITY
    x, instants = mp.mpf(0), []
    while True:
        begin = hold / (p['k'] * p['V']) + x / p['V']
        instants.append(begin)
        if mp.re(begin) > T:
            return [x, mp.mpf(0)] + instants
        y = -(hold - drag) / p['k']
        end = begin + (2 * mp.pi - 2 * mp.atan(-y * w / p['V'])) / w
        at = lambda t: (y * mp.cos(w * (t - begin)) - p['V'] / w * mp.sin(w * (t - begin))
                        + p['V'] * t - drag / p['k'])
        instants.append(end)
        if mp.re(end) > T:
            rate = -y * w * mp.sin(w * (T - begin)) - p['V'] * mp.cos(w * (T - begin)) + p['V']
            return [at(T), rate] + instants
        x = at(end)


def slip():
    values = {k: mp.mpf(v) for k, v in dict(k='40', m='2', V='0.5', still='0.6',
                                            mu='0.35').items()}
    for T in (mp.mpf('3.1'), mp.mpf('8')):
        print('-- slip, t = %s' % mp.nstr(T, 3))
        print('  values = { %s },' % ', '.join(mp.nstr(y, 25) for y in slip_states(values, T)))
        for name in sorted(values):
            p = dict(values)
            p[name] += I * H
            row = [mp.im(y) / H for y in slip_states(p, T)]
            print('  %s = { %s },' % (name, ', '.join(mp.nstr(y, 22) for y in row)))


if __name__ == '__main__':
    for word in sys.argv[1:] or ['squeezer', 'loop', 'arm', 'slip', 'stiff']:
        globals()[word]()
