"""The programs of the painter, in GLSL."""

from games.kit.records import ARC, BOX, DISC, GLOW, LINE, RING, SHADOW
from harness.painter.lettering import ATLAS
from harness.painter.strokes import SEGMENT

COMMON = """#version 330
uniform vec2 size;     // of the canvas, in pixels
vec3 rgb(uint c) { return vec3(c >> 16 & 255u, c >> 8 & 255u, c & 255u) / 255.0; }
vec4 seat(vec2 at) { return vec4(at / size * 2.0 - 1.0, 0.0, 1.0); }   // row 0 of memory is the top
"""

SHAPE_VERTEX = (
    COMMON
    + f"""
const uint DISC = {DISC}u, BOX = {BOX}u, LINE = {LINE}u, RING = {RING}u, ARC = {ARC}u, GLOW = {GLOW}u;
const uint SHADOW = {SHADOW}u, SEGMENT = {SEGMENT}u;
"""
    + """
uniform vec3 fit;      // scale, then left and top of the picture on the canvas
in uint kind;
in vec4 place;
in vec4 form;
in vec3 rest;
in uvec4 ink;
noperspective out vec2 at;   // from the shape's centre along its own axes, pixels
noperspective out vec4 fill;
flat out vec4 body;    // half extents without the rounding, radius, half width of a band
flat out vec4 fade;    // coverage t = x - distance * y, then t t (z - w t)
flat out vec4 edge;    // colour, width
flat out vec4 cut;     // sine and cosine of an arc's half sweep, 1 / radii of an ellipse
flat out vec2 way;     // 0: light is added, 1: it covers; then how far the cut is out of reach
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1 & 1) * 2.0 - 1.0;
    float scale = fit.x;
    vec4 where = place * scale, shape = form * scale;
    vec2 centre = where.xy, reach = where.zw, axis = vec2(cos(form.y), sin(form.y));
    float radius = shape.x, soft = max(shape.z, 1.0), margin = 0.5 * soft + 0.5;
    body = vec4(0.0);
    fade = vec4(0.5, 1.0 / soft, 3.0, 2.0);
    edge = vec4(rgb(ink.z), form.w > 0.0 ? shape.w : -1e4);
    cut = vec4(0.0, 1.0, 1.0, 1.0);
    way = vec2(1.0, 1e5);
    vec2 seen;             // corner on the canvas, where it is not the turned box
    bool placed = false;
    if (kind == DISC) {
        radius = reach.x;
        cut.zw = 1.0 / max(reach, 1e-3);
        body.zw = vec2(reach.x, 0.0);
    } else if (kind == BOX) {
        radius = min(radius, min(reach.x, reach.y));
        body = vec4(reach - radius, radius, 0.0);
    } else if (kind == LINE || kind == SEGMENT) {
        vec2 along = where.zw - where.xy;
        float far = max(length(along), 1e-4);
        axis = along / far;
        reach = vec2(0.5 * far + radius, radius);
        body = vec4(0.5 * far, 0.0, radius, 0.0);
        centre = 0.5 * (where.xy + where.zw);
        edge.w = -1e4;
        margin = 1.0;
        fade.y = 1.0;
        if (kind == SEGMENT) {
            float turn = corner.x < 0.0 ? form.y : form.z;
            vec2 side = vec2(cos(turn), sin(turn));
            float lean = max(abs(dot(side, vec2(-axis.y, axis.x))), 0.25);
            seen = (corner.x < 0.0 ? where.xy : where.zw) + side * corner.y * (radius + margin) / lean;
            seen += axis * corner.x * (radius + margin) * (corner.x < 0.0 ? form.w : rest.x);
            placed = true;
        }
    } else if (kind == RING || kind == ARC) {
        body = vec4(0.0, 0.0, reach.x, radius);
        margin = 1.0;
        fade.y = 1.0;
        edge.w = -1e4;
        if (form.w > form.z) {     // a sector of the band, from one angle to another, counted from the axis
            float turn = corner.y < 0.0 ? form.z : form.w;
            vec2 side = vec2(cos(turn), sin(turn));
            float outer = (reach.x + radius + margin) / cos(0.5 * (form.w - form.z));
            seen = centre + (side.x * axis + side.y * vec2(-axis.y, axis.x))
                * (corner.x < 0.0 ? max(reach.x - radius - margin, 0.0) : outer);
            placed = true;
        }
        reach += radius;
        if (kind == ARC) {
            cut.xy = vec2(sin(rest.x), cos(rest.x));
            way.y = 0.0;
        }
    } else if (kind == GLOW) {
        fade = vec4(1.0, 1.0 / reach.x, 1.0, 0.0);
        margin = 0.0;
        way.x = 0.0;
        edge.w = -1e4;
        if (form.w > form.z) {     // a sector, as far as it is seen
            float turn = corner.y < 0.0 ? form.z : form.w;
            seen = centre + vec2(cos(turn), sin(turn)) * (corner.x < 0.0 ? 0.0 : rest.x * scale);
            placed = true;
        }
    } else if (kind == SHADOW) {
        radius = min(radius + 0.6 * soft, min(reach.x, reach.y));
        body = vec4(reach - radius, radius, 0.0);
        fade.y = 0.5 / soft;
        margin = soft;
        edge.w = -1e4;
    } else {
        seen = corner.y < 0.0 ? (corner.x < 0.0 ? place.xy : place.zw) : (corner.x < 0.0 ? form.xy : form.zw);
        seen *= scale;
        placed = true;
        edge.w = -1e4;
        fade = vec4(1.0, 1.0, 3.0, 2.0);
    }
    vec2 own = corner * (reach + margin);
    if (placed) {
        vec2 away = seen - centre;
        own = vec2(dot(away, axis), dot(away, vec2(-axis.y, axis.x)));
    } else {
        seen = centre + own.x * axis + own.y * vec2(-axis.y, axis.x);
    }
    at = own;
    if (kind > SEGMENT) at = vec2(1.0 - (corner.y < 0.0 ? rest.x : rest.y), 0.0);
    float low = kind == BOX ? 0.5 + 0.5 * own.y / reach.y : 0.0;
    fill = vec4(mix(rgb(ink.x), rgb(ink.y), low), rest.z);
    gl_Position = seat(seen + fit.yz);
}
"""
)

SHAPE_FRAGMENT = """noperspective in vec2 at;
noperspective in vec4 fill;
flat in vec4 body;
flat in vec4 fade;
flat in vec4 edge;
flat in vec4 cut;
flat in vec2 way;
out vec4 paint;
void main() {
    vec2 beyond = abs(at) - body.xy;
    vec2 corner = max(beyond, 0.0);
#if FULL
    vec2 part = corner * cut.zw;    // an ellipse's distance to first order; exact where the radii are equal
    float unit = length(part), slope = length(part * cut.zw);
    float far = cut.z == cut.w ? length(corner) - body.z : (unit - 1.0) * (unit + 1e-6) / (slope + 1e-6);
#else
    float far = length(corner) - body.z;
#endif
    far += min(max(beyond.x, beyond.y), 0.0);
    far = body.w > 0.0 ? abs(far) - body.w : far;
#if FULL
    far = max(far, abs(at.y) * cut.y - at.x * cut.x - way.y);
#endif
    float t = clamp(fade.x - far * fade.y, 0.0, 1.0);
    float cover = t * t * (fade.z - fade.w * t);
    vec3 colour = mix(fill.rgb, edge.rgb, clamp(0.5 + far + edge.w, 0.0, 1.0));
    float alpha = fill.a * cover;
    paint = vec4(colour * alpha, alpha * way.x);
}
"""

GLYPH_VERTEX = (
    COMMON
    + """
in vec4 place;         // pixels: the cell's top left, and its step along the line for a pixel of the cell
in vec4 cell;          // in the atlas: left, top, width, height
in float alpha;
in uint ink;
noperspective out vec2 spot;
flat out vec4 colour;
void main() {
    vec2 along = vec2(gl_VertexID & 1, gl_VertexID >> 1 & 1) * cell.zw;
    spot = cell.xy + along;
    colour = vec4(rgb(ink) * alpha, alpha);
    gl_Position = seat(place.xy + along.x * place.zw + along.y * vec2(-place.w, place.z));
}
"""
)

GLYPH_FRAGMENT = f"""#version 330
uniform sampler2D atlas;
noperspective in vec2 spot;
flat in vec4 colour;
out vec4 paint;
void main() {{ paint = colour * texture(atlas, spot / {ATLAS}.0).r; }}
"""

SKY_VERTEX = (
    COMMON
    + """
uniform uvec2 ink;
uniform vec4 box;      // pixels: left, top, width, height
noperspective out vec3 colour;
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1 & 1);
    colour = mix(rgb(ink.x), rgb(ink.y), corner.y);
    gl_Position = seat(box.xy + corner * box.zw);
}
"""
)

SKY_FRAGMENT = """#version 330
noperspective in vec3 colour;
out vec4 paint;
void main() { paint = vec4(colour, 1.0); }
"""

OVER_VERTEX = (
    COMMON
    + """
uniform vec4 box;      // of the layer, in pixels: left, top, width, height
noperspective out vec2 spot;
void main() {
    spot = vec2(gl_VertexID & 1, gl_VertexID >> 1 & 1) * box.zw;
    gl_Position = seat(box.xy + spot);
}
"""
)

OVER_FRAGMENT = """#version 330
uniform sampler2D layer;
noperspective in vec2 spot;
out vec4 paint;
void main() { paint = texelFetch(layer, ivec2(spot), 0); }
"""

_SOLID_PLACE = """
in vec4 corner;        // x y z, and how it moves when a capsule is stretched
in vec3 normal;
in uint tint;
in vec3 axis_x;        // of the solid, in the world
in vec3 axis_y;
in vec3 axis_z;
in vec4 extent;        // of the form along its axes, and the capsule's stretch
in vec3 position;
vec3 placed() {
    vec3 own = corner.xyz * extent.xyz + vec3(0.0, corner.w * extent.w, 0.0);
    return position + axis_x * own.x + axis_y * own.y + axis_z * own.z;
}
"""

SOLID_VERTEX = (
    COMMON
    + _SOLID_PLACE
    + """
in uint ink;
in vec2 finish;        // shine, glow
uniform mat4 view;
uniform mat4 sunward;  // to the shadow map, 0 to 1
uniform vec3 eye;
uniform vec3 sun;      // where light comes from
uniform vec3 sunlight;
uniform vec3 ambient;
uniform vec3 haze;
uniform vec2 hazy;     // nearest depth, 1 / range
uniform float thin;    // 1: seen from both sides
uniform float texel;   // of the shadow map, in metres
out vec3 shade;        // colour in the shadow
out vec3 lit;          // what the sun adds
out vec3 shadowed;
void main() {
    vec3 at = placed();
    vec3 n = normal / extent.xyz;
    n = normalize(axis_x * n.x + axis_y * n.y + axis_z * n.z);
    vec3 back = normalize(eye - at);
    if (thin > 0.5 && dot(n, back) < 0.0) n = -n;
    vec3 colour = rgb(ink) * rgb(tint);
    float facing = dot(n, sun);
    float rim = 1.0 - max(dot(n, back), 0.0);
    rim *= rim;
    // light from above is stronger than from below, and grazing views gather the sky's
    shade = colour * (ambient * (0.78 + 0.32 * n.y) + 0.10 * rim * rim * ambient + finish.y);
    lit = colour * sunlight * (0.72 * max(facing, 0.0));
    if (finish.x > 0.0) {
        float polish = max(dot(n, normalize(sun + back)), 0.0);
        lit += sunlight * finish.x * pow(polish, mix(10.0, 90.0, finish.x)) * step(0.0, facing);
        shade += ambient * finish.x * 0.35 * rim;
    }
    gl_Position = view * vec4(at, 1.0);
    float fade = clamp((gl_Position.w - hazy.x) * hazy.y, 0.0, 1.0);
    shade = mix(shade, haze, fade);
    lit *= 1.0 - fade;
    shadowed = (sunward * vec4(at + n * texel * (1.0 + 1.5 * (1.0 - clamp(facing, 0.0, 1.0))), 1.0)).xyz;
}
"""
)

SOLID_FRAGMENT = """#version 330
uniform sampler2DShadow shadows;
in vec3 shade;
in vec3 lit;
in vec3 shadowed;
out vec4 paint;
void main() { paint = vec4(shade + lit * texture(shadows, shadowed), 1.0); }
"""

SUNLIT_FRAGMENT = """#version 330
in vec3 shade;
in vec3 lit;
out vec4 paint;
void main() { paint = vec4(shade + lit, 1.0); }
"""

SHADOW_VERTEX = (
    "#version 330\n"
    + _SOLID_PLACE
    + """
uniform mat4 sunward;
void main() { gl_Position = vec4((sunward * vec4(placed(), 1.0)).xyz * 2.0 - 1.0, 1.0); }
"""
)

SHADOW_FRAGMENT = """#version 330
void main() {}
"""
