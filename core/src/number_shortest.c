/*
** The shortest decimal that reads back as x and, of those, the one nearest to x; after Giulietti's
** Schubfach.
**
** x = c 2^q.  All numbers between (c - 1/2) 2^q and (c + 1/2) 2^q read back as x, the ends too if c
** is even; at a power of two the lower end is (c - 1/4) 2^q.  With 10^k <= 2^q < 10^(k+1) the
** interval holds at least one multiple of 10^k and at most one of 10^(k+1): the shortest is that
** one if it is there, else the multiple of 10^k next to x.
**
** Four times 10^-k x, and four times 10^-k times the ends, are only compared with whole numbers.
** For that their integer parts suffice, with the last bit set where a fraction follows.  Unless
** they are whole, they are farther than 2^-63 from a whole number, so that 128 bits of 10^-k, too
** large by less than 4 units, are enough.
*/
#include "number_shortest.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { FRACTION_BITS = 52, SMALLEST_POWER = -1074 };
enum { FIRST_TEN = -304, TEN_STEP = 16, COARSE_TENS = 40 };

/* --- powers of ten ----------------------------------------------------------------------- */

/* high 2^64 + low */
typedef struct Wide {
  uint64_t high, low;
} Wide;

/* 10^(-304 + 16 i) 2^b, rounded up, with b such that it has 128 bits. */
static const Wide coarse_tens[COARSE_TENS] = {
    {0x8c71dcd9ba0b4925, 0x9ff0c08b7f1d0b15}, {0x9becce62836ac577, 0x4ee367f9430aec33},
    {0xad1c8eab5ee43b66, 0xda3243650005eed0}, {0xc0314325637a1939, 0xfa911155fefb5309},
    {0xd5605fcdcf32e1d6, 0xfb1e4a9a90880a65}, {0xece53cec4a314ebd, 0xa4f8bf5635246429},
    {0x8380dea93da4bc60, 0x4247cb9e59f71e6e}, {0x91ff83775423cc06, 0x7b6306a34627ddd0},
    {0xa21727db38cb002f, 0xb8ada00e5a506a7d}, {0xb3f4e093db73a093, 0x59ed216765690f57},
    {0xc7caba6e7c5382c8, 0xfe64a52ee96b8fc1}, {0xddd0467c64bce4a0, 0xac7cb3f6d05ddbdf},
    {0xf64335bcf065d37d, 0x4d4617b5ff4a16d6}, {0x88b402f7fd75539b, 0x11dbcb0218ebb415},
    {0x97c560ba6b0919a5, 0xdccd879fc967d41b}, {0xa87fea27a539e9a5, 0x3f2398d747b36225},
    {0xbb127c53b17ec159, 0x5560c018580d5d53}, {0xcfb11ead453994ba, 0x67de18eda5814af3},
    {0xe69594bec44de15b, 0x4c2ebe687989a9b4}, {0x8000000000000000, 0x0000000000000000},
    {0x8e1bc9bf04000000, 0x0000000000000000}, {0x9dc5ada82b70b59d, 0xf020000000000000},
    {0xaf298d050e4395d6, 0x9670b12b7f410000}, {0xc2781f49ffcfa6d5, 0x3cbf6b71c76b25fc},
    {0xd7e77a8f87daf7fb, 0xdc33745ec97be907}, {0xefb3ab16c59b14a2, 0xc5cfe94ef3ea101f},
    {0x850fadc09923329e, 0x03e2cf6bc604ddb1}, {0x93ba47c980e98cdf, 0xc66f336c36b10138},
    {0xa402b9c5a8d3a6e7, 0x5f16206c9c6209a7}, {0xb616a12b7fe617aa, 0x577b986b314d600a},
    {0xca28a291859bbf93, 0x7d7b8f7503cfdcff}, {0xe070f78d3927556a, 0x85bbe253f47b1418},
    {0xf92e0c3537826145, 0xa7709a56ccdf8a83}, {0x8a5296ffe33cc92f, 0x82bd6b70d99aaa70},
    {0x9991a6f3d6bf1765, 0xacca6da1e0a8ef2a}, {0xaa7eebfb9df9de8d, 0xddbb901b98feeab8},
    {0xbd49d14aa79dbc82, 0x4b2d8644d8a74e19}, {0xd226fc195c6a2f8c, 0x73832eec6fff3112},
    {0xe950df20247c83fd, 0x47c6b82ef32a206a}, {0x81842f29f2cce375, 0xe6a1158300d46641},
};

static const uint64_t fine_tens[TEN_STEP] = {1,
                                             10,
                                             100,
                                             1000,
                                             10000,
                                             100000,
                                             1000000,
                                             10000000,
                                             100000000,
                                             1000000000,
                                             10000000000,
                                             100000000000,
                                             1000000000000,
                                             10000000000000,
                                             100000000000000,
                                             1000000000000000};

#if defined(__SIZEOF_INT128__) && !defined(NUMBER_PORTABLE)
__extension__ typedef unsigned __int128 Both;

static Wide product(uint64_t a, uint64_t b) {
  const Both both = (Both)a * b;
  return (Wide){(uint64_t)(both >> 64), (uint64_t)both};
}
#else
static Wide product(uint64_t a, uint64_t b) {
  const uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
  const uint64_t low = a0 * b0, left = a1 * b0 + (low >> 32), right = a0 * b1 + (left & 0xffffffff);
  return (Wide){a1 * b1 + (left >> 32) + (right >> 32), right << 32 | (low & 0xffffffff)};
}
#endif

/* floor(x / 2^n), for negative x too */
static int floor_shift(int64_t x, int n) { return (int)(x >= 0 ? x >> n : ~(~x >> n)); }

/* floor(log2 10^e), |e| < 340 */
static int log2_ten(int e) { return floor_shift(e * INT64_C(1741647), 19); }
/* floor(log10 2^q), |q| < 1100 */
static int log10_two(int q) { return floor_shift(q * INT64_C(1262611), 22); }
/* floor(log10 (3/4 2^q)) */
static int log10_less(int q) { return floor_shift(q * INT64_C(1262611) - 524031, 22); }

/*
** 10^e 2^(127 - log2_ten(e)): 2^127 <= g < 2^128, at most 3 units too large: 2 from the table's
** excess, 1 from rounding up here.
*/
static Wide ten_to(int e) {
  const int i = (e - FIRST_TEN) / TEN_STEP, j = (e - FIRST_TEN) % TEN_STEP;
  const Wide coarse = coarse_tens[i];
  if (j == 0) return coarse;
  const Wide low = product(coarse.low, fine_tens[j]);
  Wide high = product(coarse.high, fine_tens[j]);
  high.low += low.high;
  high.high += high.low < low.high;                       /* high, low.low: 192 bits */
  const int empty = 64 - (log2_ten(e) - log2_ten(e - j)); /* bits above the product */
  Wide g = {high.high << empty | high.low >> (64 - empty),
            high.low << empty | low.low >> (64 - empty)};
  g.low++;
  g.high += g.low == 0;
  return g;
}

/* --- the decimal ------------------------------------------------------------------------- */

/* digits 10^exponent */
typedef struct Decimal {
  uint64_t digits;
  int exponent;
} Decimal;

/* floor(x g / 2^128), with its last bit set where a fraction was cut off. */
static uint64_t scaled(uint64_t x, Wide g) {
  const Wide low = product(x, g.low);
  Wide high = product(x, g.high);
  high.low += low.high;
  high.high += high.low < low.high;
  return high.high | (high.low != 0);
}

static Decimal shortest(uint64_t c, int q) {
  const int narrow = c == (uint64_t)1 << FRACTION_BITS && q > SMALLEST_POWER;
  const int k = narrow ? log10_less(q) : log10_two(q);
  const int shift = q + log2_ten(-k) + 1;
  const Wide g = ten_to(-k);
  const uint64_t odd = c & 1; /* of an odd c the ends do not belong to the interval */
  const uint64_t from = scaled((4 * c - (narrow ? 1 : 2)) << shift, g) + odd;
  const uint64_t at = scaled(4 * c << shift, g);
  const uint64_t to = scaled((4 * c + 2) << shift, g) - odd;
  const uint64_t below = at / 4, tens = below / 10 * 10;
  if (from <= 4 * tens) return (Decimal){tens, k};
  if (4 * (tens + 10) <= to) return (Decimal){tens + 10, k};
  const int lower = from <= 4 * below, upper = 4 * (below + 1) <= to;
  const uint64_t half = 4 * below + 2;
  const int up = lower != upper ? upper : at > half || (at == half && (below & 1) != 0);
  return (Decimal){below + (uint64_t)up, k};
}

/* --- text -------------------------------------------------------------------------------- */

static const char pairs[] =
    "00010203040506070809101112131415161718192021222324"
    "25262728293031323334353637383940414243444546474849"
    "50515253545556575859606162636465666768697071727374"
    "75767778798081828384858687888990919293949596979899";

enum { HALF = 100000000, HALF_DIGITS = 8, MOST_DIGITS = 17 };

static char *pair_before(char *end, uint32_t x) { return memcpy(end - 2, pairs + 2 * x, 2); }

/* Write the digits of x so that they end before `end`; returns where they begin. */
static char *digits_before(char *end, uint32_t x) {
  for (; x >= 100; x /= 100)
    end = pair_before(end, x % 100);
  if (x >= 10) return pair_before(end, x);
  *--end = (char)('0' + x);
  return end;
}

static char *digits_of(uint64_t x, char *end) {
  if (x < HALF) return digits_before(end, (uint32_t)x);
  uint32_t low = (uint32_t)(x % HALF);
  for (int i = 0; i < HALF_DIGITS; i += 2, low /= 100)
    end = pair_before(end, low % 100);
  return digits_before(end, (uint32_t)(x / HALF));
}

static char *put(char *to, const char *from, int count) {
  memcpy(to, from, (size_t)count);
  return to + count;
}

static char *put_zeros(char *to, int count) {
  memset(to, '0', (size_t)count);
  return to + count;
}

/* d.ddde-05 */
static char *put_scientific(char *to, const char *digits, int count, int power) {
  *to++ = digits[0];
  if (count > 1) {
    *to++ = '.';
    to = put(to, digits + 1, count - 1);
  }
  *to++ = 'e';
  *to++ = power < 0 ? '-' : '+';
  const int size = power < 0 ? -power : power;
  if (size >= 100) *to++ = (char)('0' + size / 100);
  *to++ = (char)('0' + size / 10 % 10);
  *to++ = (char)('0' + size % 10);
  return to;
}

/* As %g writes it with enough digits, at least 15: 0.00012, 120, 1.2e+20. */
static char *put_decimal(char *to, Decimal x) {
  char buffer[MOST_DIGITS], *end = buffer + MOST_DIGITS;
  const char *digits = digits_of(x.digits, end);
  const int power = x.exponent + (int)(end - digits) - 1;
  while (end > digits + 1 && end[-1] == '0')
    end--;
  const int count = (int)(end - digits);
  if (power < -4 || power >= (count > 15 ? count : 15))
    return put_scientific(to, digits, count, power);
  if (power < 0) {
    *to++ = '0';
    *to++ = '.';
    return put(put_zeros(to, -power - 1), digits, count);
  }
  if (power >= count - 1) return put_zeros(put(to, digits, count), power - count + 1);
  to = put(to, digits, power + 1);
  *to++ = '.';
  return put(to, digits + power + 1, count - power - 1);
}

size_t number_shortest(double x, char *to) {
  char *at = to;
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  if (isnan(x)) return (size_t)(put(at, "nan", 3) - to);
  if (bits >> 63 != 0) *at++ = '-';
  if (isinf(x)) return (size_t)(put(at, "inf", 3) - to);
  const uint64_t fraction = bits & (((uint64_t)1 << FRACTION_BITS) - 1);
  const int biased = (int)(bits >> FRACTION_BITS & 0x7ff);
  if (biased == 0 && fraction == 0) return (size_t)(put(at, "0", 1) - to);
  const uint64_t c = biased == 0 ? fraction : fraction | (uint64_t)1 << FRACTION_BITS;
  const int q = SMALLEST_POWER + (biased == 0 ? 0 : biased - 1);
  const double size = fabs(x);
  const Decimal decimal =
      size < 1e15 && size == (double)(uint64_t)size ? (Decimal){(uint64_t)size, 0} : shortest(c, q);
  return (size_t)(put_decimal(at, decimal) - to);
}
