// Moving pictures for videos that are not stored on this server, one kind for each category.
//
// A scene is a function of a source of random numbers and two hues. It returns a function that draws the scene at `t`
// seconds on a canvas of `w` by `h` pixels, so that a picture can be drawn once or played.

const TURN = Math.PI * 2;

const tone = (lightness, chroma, hue, alpha = 1) => `oklch(${lightness} ${chroma} ${hue} / ${alpha})`;
const range = (count, make) => Array.from({ length: count }, (_, index) => make(index));

function ground(g, w, h, top, bottom) {
    const gradient = g.createLinearGradient(0, 0, w * 0.3, h);
    gradient.addColorStop(0, top);
    gradient.addColorStop(1, bottom);
    g.fillStyle = gradient;
    g.fillRect(0, 0, w, h);
}

function disc(g, x, y, radius, colour) {
    g.fillStyle = colour;
    g.beginPath();
    g.arc(x, y, Math.max(radius, 0), 0, TURN);
    g.fill();
}

function glow(g, x, y, radius, lightness, chroma, hue, alpha) {
    const gradient = g.createRadialGradient(x, y, 0, x, y, radius);
    gradient.addColorStop(0, tone(lightness, chroma, hue, alpha));
    gradient.addColorStop(1, tone(lightness, chroma, hue, 0));
    g.fillStyle = gradient;
    g.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}

/** Travel: ridges of hills before a low sun. */
function hills(random, near, far) {
    const sun = { x: 0.25 + random() * 0.5, y: 0.3 + random() * 0.12 };
    const ridges = range(6, (index) => ({
        base: 0.46 + index * 0.095, speed: 0.012 + index * 0.012, phase: random() * TURN,
        waves: [0.8 + random() * 0.8, 2.1 + random() * 1.2, 4.6 + random() * 2],
    }));
    return (g, w, h, t) => {
        ground(g, w, h, tone(0.42, 0.12, near), tone(0.86, 0.13, far));
        glow(g, w * sun.x, h * sun.y, w * 0.9, 0.95, 0.1, far, 0.75);
        disc(g, w * sun.x, h * (sun.y - 0.01 * Math.sin(t * 0.2)), w * 0.13, tone(0.97, 0.06, far));
        ridges.forEach(({ base, speed, phase, waves }, index) => {
            const depth = index / (ridges.length - 1);
            g.fillStyle = tone(0.66 - depth * 0.44, 0.1 - depth * 0.03, near + (far - near) * (1 - depth) * 0.35);
            g.beginPath();
            g.moveTo(0, h);
            for (let x = 0; x <= w + 8; x += 8) {
                const place = (x / w) * TURN * 0.5 + t * speed + phase;
                const rise = Math.sin(place * waves[0]) + Math.sin(place * waves[1]) * 0.35
                    + Math.sin(place * waves[2]) * 0.1;
                g.lineTo(x, h * (base - rise * (0.045 + 0.012 * index)));
            }
            g.lineTo(w, h);
            g.fill();
        });
    };
}

/** Fitness: rings that fill and turn. */
function rings(random, hue, other) {
    const center = { x: 0.5, y: 0.4 };
    const bands = range(4, (index) => ({
        radius: 0.4 - index * 0.088, share: 0.45 + random() * 0.4, start: random() * TURN,
        speed: (random() < 0.5 ? -1 : 1) * (0.2 + random() * 0.35), hue: hue + ((other - hue) * index) / 3,
    }));
    return (g, w, h, t) => {
        ground(g, w, h, tone(0.24, 0.08, hue), tone(0.14, 0.05, other));
        glow(g, w * center.x, h * center.y, w * 0.8, 0.55, 0.2, hue, 0.5);
        g.lineCap = "round";
        g.lineWidth = w * 0.066;
        for (const band of bands) {
            const circle = (from, to, colour) => {
                g.strokeStyle = colour;
                g.beginPath();
                g.arc(w * center.x, h * center.y, w * band.radius, from, to);
                g.stroke();
            };
            const from = band.start + t * band.speed;
            circle(0, TURN, tone(0.7, 0.15, band.hue, 0.14));
            circle(from, from + TURN * (band.share + 0.12 * Math.sin(t * 0.9 + band.start)), tone(0.76, 0.19, band.hue));
        }
    };
}

/** Beauty: a flower of petals that shine through each other. */
function petals(random, hue, other) {
    const count = 9 + Math.floor(random() * 4);
    const spin = random() < 0.5 ? -0.1 : 0.1;
    const phase = random() * TURN;
    return (g, w, h, t) => {
        ground(g, w, h, tone(0.9, 0.06, other), tone(0.66, 0.16, hue));
        for (const layer of [0, 1, 2]) {
            const size = w * (0.5 - layer * 0.14) * (1 + 0.03 * Math.sin(t * 0.7 + layer));
            g.fillStyle = tone(0.72 + layer * 0.07, 0.17 - layer * 0.03, hue + ((other - hue) * layer) / 2, 0.36);
            for (let index = 0; index < count; index += 1) {
                g.save();
                g.translate(w * 0.5, h * 0.4);
                g.rotate(phase + t * spin * (layer % 2 ? -1 : 1) + (index / count) * TURN + layer * 0.2);
                g.beginPath();
                g.ellipse(size * 0.52, 0, size * 0.52, size * 0.2, 0, 0, TURN);
                g.fill();
                g.restore();
            }
        }
        disc(g, w * 0.5, h * 0.4, w * 0.045, tone(0.95, 0.08, other));
    };
}

/** Food: tiles of quarter discs that turn one after the other. */
function tiles(random, hue, other) {
    const columns = 4;
    const rows = 8;
    const colours = [
        tone(0.72, 0.17, hue), tone(0.86, 0.14, other), tone(0.94, 0.05, other), tone(0.52, 0.15, hue - 14),
        tone(0.6, 0.12, other + 50),
    ];
    const cells = range(columns * rows, () => ({
        ground: Math.floor(random() * colours.length), front: 1 + Math.floor(random() * (colours.length - 1)),
        turn: Math.floor(random() * 4), delay: random() * 9, isDot: random() < 0.2,
    }));
    return (g, w, h, t) => {
        const size = Math.max(w / columns, h / rows);
        cells.forEach((cell, index) => {
            const [column, row] = [index % columns, Math.floor(index / columns)];
            // Each tile rests for a while, then makes a quarter turn.
            const progress = (t + cell.delay) / 4.5;
            const step = Math.min(1, Math.max(0, (progress % 1) * 4 - 3));
            const eased = step * step * (3 - 2 * step);
            g.save();
            g.translate((column + 0.5) * size - (columns * size - w) / 2, (row + 0.5) * size);
            g.fillStyle = colours[cell.ground];
            g.fillRect(-size / 2 - 0.5, -size / 2 - 0.5, size + 1, size + 1);
            g.rotate(((cell.turn + Math.floor(progress) + eased) * TURN) / 4);
            g.beginPath();
            g.rect(-size / 2, -size / 2, size, size);
            g.clip();
            const front = colours[(cell.ground + cell.front) % colours.length];
            if (cell.isDot) disc(g, 0, 0, size * (0.3 + 0.05 * Math.sin(t + cell.delay)), front);
            else disc(g, -size / 2, -size / 2, size, front);
            if (!cell.isDot) disc(g, -size / 2, -size / 2, size * 0.42, colours[cell.ground]);
            g.restore();
        });
    };
}

/** Music: the bars of a spectrum, and their reflection. */
function bars(random, hue, other) {
    const count = 15;
    const voices = range(count, () => ({ speed: 1.4 + random() * 2.2, phase: random() * TURN, size: 0.5 + random() * 0.5 }));
    return (g, w, h, t) => {
        ground(g, w, h, tone(0.2, 0.09, hue), tone(0.32, 0.13, other));
        glow(g, w * 0.5, h * 0.42, w * 0.85, 0.6, 0.2, other, 0.55);
        const step = (w * 0.84) / count;
        voices.forEach(({ speed, phase, size }, index) => {
            const arch = Math.sin(((index + 0.5) / count) * Math.PI);
            const beat = Math.abs(Math.sin(t * speed + phase) * Math.sin(t * 0.7 + index * 0.5));
            const level = (0.35 + 0.65 * beat) * size * arch;
            const length = Math.max(h * 0.34 * level, step * 0.5);
            g.fillStyle = tone(0.82, 0.17, hue + ((other - hue) * index) / count + 20);
            g.beginPath();
            g.roundRect(w * 0.08 + index * step + step * 0.2, h * 0.42 - length / 2, step * 0.6, length, step * 0.3);
            g.fill();
        });
    };
}

/** Dance: ribbons that flow beside each other. */
function ribbons(random, hue, other) {
    const count = 22;
    const [lean, swing] = [0.4 + random() * 0.5, 0.16 + random() * 0.1];
    const phase = random() * TURN;
    return (g, w, h, t) => {
        ground(g, w, h, tone(0.28, 0.13, hue), tone(0.17, 0.08, other));
        g.lineWidth = w * 0.028;
        g.lineCap = "round";
        for (let index = 0; index < count; index += 1) {
            const share = index / (count - 1);
            g.strokeStyle = tone(0.62 + 0.24 * share, 0.2 - 0.06 * share, hue + (other - hue) * share, 0.9);
            g.beginPath();
            for (let y = -0.05; y <= 1.06; y += 0.02) {
                const bend = Math.sin(y * 4.2 + t * 0.5 + phase + share * lean) * swing
                    + Math.sin(y * 2.1 - t * 0.32 + share * 2.4) * 0.14;
                g.lineTo(w * (0.26 + share * 0.48 + bend * (1.15 - share * 0.5)), h * y);
            }
            g.stroke();
        }
    };
}

/** Tech: a lattice whose cells swell as a wave passes. */
function lattice(random, hue, other) {
    const columns = 9;
    const origins = range(2, () => ({ x: random(), y: random() * 0.8, pace: 0.2 + random() * 0.2, phase: random() * TURN }));
    return (g, w, h, t) => {
        ground(g, w, h, tone(0.19, 0.05, hue), tone(0.13, 0.04, other));
        const size = w / columns;
        for (let row = 0; row * size < h; row += 1) {
            for (let column = 0; column < columns; column += 1) {
                const [x, y] = [(column + 0.5) / columns, ((row + 0.5) * size) / h];
                const level = origins.reduce((sum, origin) => {
                    const dx = x - origin.x - 0.2 * Math.sin(t * origin.pace + origin.phase);
                    const dy = (y - origin.y) * (h / w);
                    return sum + 0.5 * (1 + Math.sin(Math.hypot(dx, dy) * 9 - t * 1.3 + origin.phase));
                }, 0) / origins.length;
                const side = size * (0.12 + 0.74 * level * level);
                g.fillStyle = tone(0.42 + 0.45 * level, 0.06 + 0.12 * level, hue + (other - hue) * y);
                g.beginPath();
                g.roundRect((column + 0.5) * size - side / 2, (row + 0.5) * size - side / 2, side, side, side * 0.3);
                g.fill();
            }
        }
    };
}

/** Comedy: balloons that rise and sway. */
function balloons(random, hue, other) {
    const all = range(16, (index) => ({
        x: random(), y: random(), size: 0.06 + random() * 0.15, speed: 0.02 + random() * 0.035, phase: random() * TURN,
        hue: other + [-35, 150, 285, 90][index % 4],
    })).sort((one, two) => one.size - two.size);
    return (g, w, h, t) => {
        ground(g, w, h, tone(0.93, 0.1, hue), tone(0.8, 0.15, other));
        for (const { x, y, size, speed, phase, hue: own } of all) {
            const [left, top] = [w * (x + 0.03 * Math.sin(t * 0.8 + phase)), h * (1.2 - ((1.2 - y + t * speed) % 1.45))];
            disc(g, left, top, w * size, tone(0.74, 0.16, own));
            disc(g, left - w * size * 0.3, top - w * size * 0.34, w * size * 0.22, tone(0.96, 0.04, own, 0.65));
        }
    };
}

/** The scene and the two hues of each category. */
const CATEGORIES = {
    tech: [lattice, 245, 185], fitness: [rings, 28, 350], beauty: [petals, 5, 45], food: [tiles, 35, 85],
    travel: [hills, 265, 55], music: [bars, 290, 345], dance: [ribbons, 330, 270], comedy: [balloons, 95, 60],
};
const OTHERS = [[ribbons, 200, 260], [bars, 160, 220], [hills, 220, 20], [lattice, 300, 250], [petals, 300, 340]];

/** Returns the scene of a post: that of its category, as the seed varies it. */
export function sceneOf(category, seed) {
    const random = numbers(seed);
    const [scene, hue, other] = CATEGORIES[category?.toLowerCase()] ?? OTHERS[seed % OTHERS.length];
    const shift = (random() - 0.5) * 44;
    return scene(random, hue + shift, other + shift);
}

/** A source of numbers from 0 to 1 that begins with `seed` (mulberry32). */
function numbers(seed) {
    let state = seed;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let value = Math.imul(state ^ (state >>> 15), 1 | state);
        value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
        return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
    };
}
