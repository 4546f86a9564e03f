/*
** The stiff problems by hand, y = (q, v), each in the coordinates that suit it best: stretches are
** coordinates, so that forces of 1e8 N/m do not magnify the rounding of places, and no constraint
** is left.
*/
#ifndef STIFF_H
#define STIFF_H

#include "rows.h"

enum { STIFF_LOOKS = 4, STIFF_MOST = 24, MASSES = 6 };

/* See ../stiff.lua. */
typedef struct Stiff {
  const char *name;
  int size, stretches; /* of y; of q, where they come first */
  double t;
  void (*start)(double *y);
  void (*rate)(double t, const double *y, double *dy);
  void (*locate)(const double *y, double *point);
  double known[2 * STIFF_LOOKS]; /* x and y of a point at t / 4, t / 2, 3 t / 4 and t */
} Stiff;

static const double stiff_g = 9.81;

/*
** --- one mass, or six, on springs: stretches u, angles b from the vertical ----------------------
*/

/*
** Spring i from mass to mass, d = (1 + u) e, pulls by T = k u + c u'; with a_i the acceleration of
** a mass, a_i - a_(i-1) = d'', along the spring and across it:
**   u'' = e.d'' + (1 + u) b'^2,  b'' = (n.d'' - 2 u' b') / (1 + u).
*/
static inline void springs_rate_of(int n, const double *y, double *dy) {
  const double *u = y, *b = y + n, *du = y + 2 * n, *db = y + 3 * n;
  double s[MASSES], c[MASSES], x[MASSES + 1], z[MASSES + 1]; /* what the springs pull */
  for (int i = 0; i < n; i++) {
    const double pull = 1e8 * u[i] + 2e4 * du[i];
    s[i] = sin(b[i]), c[i] = cos(b[i]);
    x[i] = pull * s[i], z[i] = -pull * c[i];
  }
  x[n] = z[n] = 0;
  double ax = 0, az = 0;
  for (int i = 0; i < n; i++) {
    const double nx = x[i + 1] - x[i], nz = z[i + 1] - z[i] - stiff_g;
    const double dx = nx - ax, dz = nz - az;
    dy[i] = du[i], dy[n + i] = db[i];
    dy[2 * n + i] = dx * s[i] - dz * c[i] + (1 + u[i]) * db[i] * db[i];
    dy[3 * n + i] = (dx * c[i] + dz * s[i] - 2 * du[i] * db[i]) / (1 + u[i]);
    ax = nx, az = nz;
  }
}

static inline void springs_locate_of(int n, const double *y, double *point) {
  point[0] = point[1] = 0;
  for (int i = 0; i < n; i++)
    point[0] += (1 + y[i]) * sin(y[n + i]), point[1] -= (1 + y[i]) * cos(y[n + i]);
}

static inline void spring_start(double *y) {
  y[0] = stiff_g * cos(1.0) / 1e8, y[1] = 1, y[2] = y[3] = 0;
}
static inline void spring_rate(double t, const double *y, double *dy) {
  (void)t;
  springs_rate_of(1, y, dy);
}
static inline void spring_locate(const double *y, double *point) { springs_locate_of(1, y, point); }

static inline void springs_start(double *y) {
  for (int i = 0; i < 4 * MASSES; i++)
    y[i] = i / MASSES == 1;
}
static inline void springs_rate(double t, const double *y, double *dy) {
  (void)t;
  springs_rate_of(MASSES, y, dy);
}
static inline void springs_locate(const double *y, double *point) {
  springs_locate_of(MASSES, y, point);
}

/*
** --- the arm on a guide: the hand is where the links make a triangle with equal sides ----------
*/

static inline double gains_torque(double t, double angle, double rate) {
  return 1e8 * (0.2 * sin(2 * t) - angle) + 1e6 * (0.4 * cos(2 * t) - rate);
}

/* q = the angle from the drawing, where the sine is 0.6 and the cosine 0.8. */
static inline void gains_start(double *y) { y[0] = y[1] = 0; }
static inline void gains_rate(double t, const double *y, double *dy) {
  const double s1 = sin(y[0]), c1 = cos(y[0]);
  const double s = 0.6 * c1 + 0.8 * s1, c = 0.8 * c1 - 0.6 * s1;
  const double inertia = 5.0 / 12 + 2.25 * s * s + 0.25 * c * c;
  dy[0] = y[1];
  dy[1] = (gains_torque(t, y[0], y[1]) - stiff_g * c - 2 * s * c * y[1] * y[1]) / inertia;
}
static inline void gains_locate(const double *y, double *point) {
  point[0] = 2 * (0.8 * cos(y[0]) - 0.6 * sin(y[0])), point[1] = 0;
}

/*
** --- the slider-crank: the gap of the bushing, the angle of the crank from the vertical ----------
*/

/* The pin in the rod, P = (sin, cos of the crank) + gap, is 3 (cos b, sin b) from the piston. */
static inline void bushing_pin(const double *y, double *p) {
  p[0] = y[0] - sin(y[2]), p[1] = y[1] + cos(y[2]);
}
static inline void bushing_start(double *y) {
  for (int i = 0; i < 6; i++)
    y[i] = i == 5 ? 5 : 0;
}
static inline void bushing_rate(double t, const double *y, double *dy) {
  (void)t;
  const double *gap = y, *dgap = y + 3, w = y[5];
  double p[2];
  bushing_pin(y, p);
  const double ex = -sin(y[2]), ey = cos(y[2]); /* the crank; its pin moves along (-ey, ex) */
  const double s = -p[1] / 3, c = sqrt(1 - s * s), db = -(dgap[1] + ex * w) / (3 * c);
  /* Stretches are those of axes that turn with the crank. */
  const double fx = -1e8 * gap[0] - 1e4 * (dgap[0] + w * gap[1]);
  const double fy = -1e8 * gap[1] - 1e4 * (dgap[1] - w * gap[0]);
  const double dw = 3 * (-0.5 * stiff_g * ex - (p[0] * fy - p[1] * fx));
  /* Piston and rod: [5, 3 s; 3 s, 6] (x'', b''). */
  const double rx = fx - 3 * c * db * db, rb = 3 * (stiff_g * c + s * fx - c * fy);
  const double determinant = 30 - 9 * s * s;
  const double ddx = (6 * rx - 3 * s * rb) / determinant, ddb = (5 * rb - 3 * s * rx) / determinant;
  dy[0] = dgap[0], dy[1] = dgap[1], dy[2] = w;
  dy[3] = ddx + 3 * s * ddb + 3 * c * db * db + ey * dw + ex * w * w;
  dy[4] = -3 * c * ddb + 3 * s * db * db - ex * dw + ey * w * w;
  dy[5] = dw;
}
static inline void bushing_locate(const double *y, double *point) {
  double p[2];
  bushing_pin(y, p);
  point[0] = p[0] + sqrt(9 - p[1] * p[1]), point[1] = 0;
}

/*
** --- the quarter of a car: the gap of the bushing, the car's height, the angle of the arm -------
*/

enum { CAR = 350, ARM = 33 };
static const double arm_inertia = 1.67, arm_centre = 0.35;

static inline double car_on_tyre(void) { return (CAR + ARM) * stiff_g; }
static inline double car_on_strut(void) {
  return (0.4 * car_on_tyre() - arm_centre * ARM * stiff_g) / 0.3;
}
/* Its height and how fast it rises. */
static inline void car_road(double t, double *height, double *speed) {
  const double x = (10 * t - 5) / 0.4;
  *height = 0.06 * exp(-x * x), *speed = -2 * x * 25 * *height;
}

/* A spring and damper from a point to another: the force on the latter; d and v between them. */
static inline void strut_force(double k, double damping, double length, const double *d,
                               const double *v, double *f) {
  const double l = sqrt(d[0] * d[0] + d[1] * d[1]);
  const double pull = (k * (l - length) + damping * (d[0] * v[0] + d[1] * v[1]) / l) / l;
  f[0] = -pull * d[0], f[1] = -pull * d[1];
}

static inline void car_start(double *y) {
  for (int i = 0; i < 8; i++)
    y[i] = 0;
}
static inline void car_rate(double t, const double *y, double *dy) {
  const double s = sin(y[3]), c = cos(y[3]), w = y[7], rise = y[2], climb = y[6];
  double road, speed, strut[2], tyre[2];
  car_road(t, &road, &speed);
  /* From the car's end of the strut and from the road to the arm, r along it. */
  const double ds[2] = {y[0] + 0.3 * c - 0.3, y[1] + 0.3 * s - 0.3};
  const double vs[2] = {y[4] - 0.3 * s * w, y[5] + 0.3 * c * w};
  const double dt[2] = {y[0] + 0.4 * c - 0.4, 0.3 + rise + y[1] + 0.4 * s - road};
  const double vt[2] = {y[4] - 0.4 * s * w, climb + y[5] + 0.4 * c * w - speed};
  strut_force(4e4, 3000, 0.3 + car_on_strut() / 4e4, ds, vs, strut);
  strut_force(2e5, 500, 0.3 + car_on_tyre() / 2e5, dt, vt, tyre);
  const double bx = -5e7 * y[0] - 1e5 * y[4], by = -5e7 * y[1] - 1e5 * y[5];
  const double ax = (bx + strut[0] + tyre[0]) / ARM, ay = (by + strut[1] + tyre[1]) / ARM - stiff_g;
  const double lift = -(by + strut[1]) / CAR - stiff_g;
  const double dw =
      (c * ((0.3 - arm_centre) * strut[1] + (0.4 - arm_centre) * tyre[1] - arm_centre * by) -
       s * ((0.3 - arm_centre) * strut[0] + (0.4 - arm_centre) * tyre[0] - arm_centre * bx)) /
      arm_inertia;
  for (int i = 0; i < 4; i++)
    dy[i] = y[4 + i];
  dy[4] = ax + arm_centre * (s * dw + c * w * w);
  dy[5] = ay - arm_centre * (c * dw - s * w * w) - lift;
  dy[6] = lift, dy[7] = dw;
}
static inline void car_locate(const double *y, double *point) {
  point[0] = y[0] + 0.4 * cos(y[3]), point[1] = 0.3 + y[2] + y[1] + 0.4 * sin(y[3]);
}

/* Of equal digits with Runge-Kutta steps of 1e-6 to 1e-5 s and half of them, in long double. */
static const Stiff stiffs[] = {
    {.name = "spring",
     .size = 4,
     .stretches = 1,
     .t = 10,
     .start = spring_start,
     .rate = spring_rate,
     .locate = spring_locate,
     .known = {0.47696403225893025, -0.87892298701643014, -0.50583196903791691,
               -0.86263220145061557, -0.84109295206728893, -0.5408907027541199, -0.446862997596618,
               -0.89460257980209765}},
    {.name = "springs",
     .size = 24,
     .stretches = 6,
     .t = 2.1,
     .start = springs_start,
     .rate = springs_rate,
     .locate = springs_locate,
     .known = {4.2338610591805512, -4.0704695572773704, 0.80982525324893415, -5.8460151536271648,
               -3.7402191620138826, -4.2648907941313878, -5.0428308403060491, -3.1107742925448235}},
    {.name = "gains",
     .size = 2,
     .stretches = 0,
     .t = 4.5,
     .start = gains_start,
     .rate = gains_rate,
     .locate = gains_locate,
     .known = {1.3946816039209397, 0, 1.8026348053056797, 0, 1.4856584036329523, 0,
               1.4957717525851437, 0}},
    {.name = "bushing",
     .size = 6,
     .stretches = 2,
     .t = 5.2,
     .start = bushing_start,
     .rate = bushing_rate,
     .locate = bushing_locate,
     .known = {3.1621273427632786, 0, 2.6774308131513507, 0, 3.3464129956650942, 0,
               2.5292661623890796, 0}},
    {.name = "car",
     .size = 8,
     .stretches = 2,
     .t = 2,
     .start = car_start,
     .rate = car_rate,
     .locate = car_locate,
     .known = {0.39712712004720537, 0.35624582147729274, 0.39988570567658189, 0.29870630477443425,
               0.39997734772640371, 0.30042551508987958, 0.3999973162304629, 0.29990736484550268}},
};
enum { STIFFS = sizeof stiffs / sizeof *stiffs };

#endif
