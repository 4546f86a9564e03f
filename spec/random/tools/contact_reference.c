/*
** Contacts with closed forms, in quadruple precision, for what `sarrus verify` claims.  Writes
** contact_reference.lua:
**
**   gcc -O2 contact_reference.c -lquadmath -o contacts && ./contacts > contact_reference.lua
**
** A ball that bounces; a block that slides on a floor, which gravity pulls it along, stops, and
** stays or turns back; a disk there that slides until it rolls; a sphere in space that does.
*/
#include "quad.h"

/* y and y' after t: each bounce keeps e of the speed; never within a quarter of a flight of one. */
static void bounce(void) {
  const double radius = draw(0.0625, 0.25), height = draw(0.2, 2), up = draw(-2, 2);
  const double along = draw(-1, 1), e = draw(0.3, 0.95), g = draw(2, 12);
  const int bounces = (int)draw(0, 8);
  const real speed = sqrtq((real)up * up + 2 * (real)g * height);
  real first = (up + speed) / g, v = speed * e;
  for (int i = 1; i < bounces; i++, v *= e)
    first += 2 * v / g;
  const double t = bounces > 0 ? (double)(first + 2 * v / g * draw(0.25, 0.75))
                               : (double)(first * draw(0.25, 0.75));
  const real s = bounces > 0 ? t - first : t, from = bounces > 0 ? v : (real)up;
  printf(
      "  { \"ball\", t = %.17g, g = { 0, %.17g }, radius = %.17g,\n"
      "    height = %.17g, up = %.17g, along = %.17g, e = %.17g",
      t, -g, radius, height, up, along, e);
  const real y = radius + (bounces > 0 ? 0 : height) + s * (from - (real)g * s / 2);
  put_known((real[]){y, from - g * s, (real)along * t}, 3);
}

/* x after t from 0 at speed v, under a pull, with friction that opposes motion and holds at rest. */
static void slide(void) {
  const double v = draw(-2, 2), pull = draw(-3, 3), press = draw(4, 12), mu = draw(0.05, 0.6);
  const double t = draw(0.2, 3);
  const real hold = (real)mu * press, side = v > 0 ? 1 : -1, slowing = pull * side - hold;
  const real stop = slowing < 0 ? -v * side / slowing : 1000, first = t < stop ? t : stop;
  real x = v * first + side * slowing * first * first / 2, u = v + side * slowing * first;
  const real rest = t - first, beyond = fabsq(pull) - hold;
  if (rest > 0) u = 0;
  if (rest > 0 && beyond > 0) {
    u = (pull > 0 ? beyond : -beyond) * rest;
    x += u * rest / 2;
  }
  printf("  { \"block\", t = %.17g, g = { %.17g, %.17g }, mu = %.17g,\n    speed = %.17g", t, pull,
         -press, mu, v);
  put_known((real[]){x, u}, 2);
}

/* A disk: slip u = v + w r, u' = pull - 3 F, v' = pull - F, r w' = -2 F, F = mu press sign u; once
** u = 0 it rolls, v' = 2/3 pull, as |pull| < 3 mu press. */
static void roll(void) {
  const double v = draw(-2, 2), spin = draw(-8, 8), radius = draw(0.0625, 0.5);
  const double press = draw(4, 12), mu = draw(0.1, 0.6), t = draw(0.2, 3);
  const double pull = (double)(long)(draw(-2.5, 2.5) * mu * press * 256) / 256;
  const real u = v + (real)spin * radius, F = (u > 0 ? 1 : -1) * (real)mu * press;
  const real until = -u / (pull - 3 * F), first = t < until ? t : until, rest = t - first;
  const real speed = v + (pull - F) * first, rate = spin - 2 * F / radius * first;
  printf(
      "  { \"disk\", t = %.17g, g = { %.17g, %.17g }, mu = %.17g,\n"
      "    speed = %.17g, spin = %.17g, radius = %.17g",
      t, pull, -press, mu, v, spin, radius);
  const real x = v * first + (pull - F) * first * first / 2 + speed * rest;
  put_known((real[]){x + (real)pull / 3 * rest * rest, speed + 2 * (real)pull / 3 * rest,
                     rate - 2 * (real)pull / 3 / radius * rest},
            3);
}

/* A sphere without spin: slows down by mu g until it has 5/7 of its speed. */
static void skid(void) {
  const double x = draw(-2, 2), y = draw(0.25, 2), g = draw(2, 12), mu = draw(0.05, 0.6);
  const double radius = draw(0.0625, 0.5), t = draw(0.2, 3);
  const real speed = hypotq(x, y), until = speed * 2 / 7 / ((real)mu * g);
  const real first = t < until ? t : until, end = speed - (real)mu * g * first;
  const real way = (speed + end) / 2 * first + end * (t - first);
  printf(
      "  { \"sphere\", t = %.17g, g = { 0, 0, %.17g }, mu = %.17g,\n"
      "    radius = %.17g, velocity = { %.17g, %.17g, 0 }",
      t, -g, mu, radius, x, y);
  put_known((real[]){way * x / speed, way * y / speed, end * y / speed}, 3);
}

int main(void) {
  printf(
      "-- Written by contact_reference.c: what touches, and where it is at the end, as a double\n"
      "-- and what it leaves.\nreturn {\n");
  for (int number = 0; number < 50; number++) {
    bounce();
    slide();
    roll();
    skid();
  }
  printf("}\n");
  return 0;
}
