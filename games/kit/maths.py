"""Maths with the same bits on every machine.

The C library's sin, exp and the like differ between processors, so a world that used them would differ too.
These are made from + - * / and the square root alone, which IEEE 754 rounds one way everywhere. Errors are
below 1e-11.
Angles are in radians; on the screen (y down) they turn clockwise.
"""

from math import floor, sqrt

PI = 3.141592653589793
TAU = 6.283185307179586
HALF_PI = 1.5707963267948966
LN2 = 0.6931471805599453

__all__ = [
    "HALF_PI",
    "PI",
    "TAU",
    "atan2",
    "clamp",
    "cos",
    "exp",
    "floor",
    "hypot",
    "log",
    "mix",
    "power",
    "sin",
    "sqrt",
    "turn_between",
]


def sin(angle: float) -> float:
    """Sine of an angle in radians."""
    quarter = floor(angle / HALF_PI + 0.5)
    rest = angle - quarter * HALF_PI
    kind = quarter & 3
    if kind == 0:
        return _sin_core(rest)
    if kind == 1:
        return _cos_core(rest)
    if kind == 2:
        return -_sin_core(rest)
    return -_cos_core(rest)


def cos(angle: float) -> float:
    """Cosine of an angle in radians."""
    return sin(angle + HALF_PI)


def _sin_core(x: float) -> float:  # |x| <= pi/4, Taylor to x^15
    s = x * x
    return x * (
        1 - s * (1 / 6 - s * (1 / 120 - s * (1 / 5040 - s * (1 / 362880 - s * (1 / 39916800 - s * (1 / 6227020800))))))
    )


def _cos_core(x: float) -> float:  # |x| <= pi/4, Taylor to x^14
    s = x * x
    return 1 - s * (
        1 / 2
        - s * (1 / 24 - s * (1 / 720 - s * (1 / 40320 - s * (1 / 3628800 - s * (1 / 479001600 - s / 87178291200)))))
    )


def _atan_core(x: float) -> float:  # 0 <= x <= 1: halved twice, then a series
    a = x / (1 + sqrt(1 + x * x))
    a = a / (1 + sqrt(1 + a * a))
    s = a * a
    series = 1 / 15 - s / 17
    for odd in (13, 11, 9, 7, 5, 3, 1):
        series = 1 / odd - s * series
    return 4 * a * series


def atan2(y: float, x: float) -> float:
    """Angle of the vector (x, y), in -pi..pi; 0 for the null vector."""
    if x == 0 and y == 0:
        return 0.0
    ay, ax = abs(y), abs(x)
    angle = _atan_core(ay / ax) if ay <= ax else HALF_PI - _atan_core(ax / ay)
    if x < 0:
        angle = PI - angle
    return -angle if y < 0 else angle


def exp(x: float) -> float:
    """e to the power x; 0 below -700."""
    if x < -700:
        return 0.0
    twos = floor(x / LN2 + 0.5)
    rest = x - twos * LN2
    term = total = 1.0
    for n in range(1, 14):
        term *= rest / n
        total += term
    return total * 2.0**twos


def log(x: float) -> float:
    """Natural logarithm. Raises ValueError for x <= 0."""
    if x <= 0:
        raise ValueError("log needs a positive number")
    twos = 0
    while x > 1.5:
        x *= 0.5
        twos += 1
    while x < 0.75:
        x *= 2
        twos -= 1
    a = (x - 1) / (x + 1)
    s = a * a
    series = 0.0
    for odd in (21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1):
        series = 1 / odd + s * series
    return 2 * a * series + twos * LN2


def power(base: float, exponent: float) -> float:
    """A positive base to any exponent."""
    return exp(exponent * log(base))


def hypot(x: float, y: float) -> float:
    """Length of the vector (x, y)."""
    return sqrt(x * x + y * y)


def clamp(x: float, low: float, high: float) -> float:
    """x, or the bound that it passed."""
    return low if x < low else high if x > high else x


def mix(a: float, b: float, share: float) -> float:
    """a at share 0, b at share 1."""
    return a + (b - a) * share


def turn_between(a: float, b: float) -> float:
    """The shortest turn from angle a to angle b, in -pi..pi."""
    turn = b - a
    return turn - TAU * floor(turn / TAU + 0.5)
