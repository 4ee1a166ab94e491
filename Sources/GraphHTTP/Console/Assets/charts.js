// Small plots as SVG.

import { s } from "./dom.js";

const WIDTH = 300;
const HEIGHT = 64;

/**
 * A line over time, the latest value on the right. Null is an unknown value. `room` values fit, up to `high`.
 */
export function plot(label, values, { room, high }) {
    const x = (index) => WIDTH - (values.length - 1 - index) * (WIDTH / (room - 1));
    const y = (value) => HEIGHT - 2 - (value / high) * (HEIGHT - 6);
    const runs = pieces(values, (value, index) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`);
    const line = runs.map((points) => `M${points.join("L")}`).join("");
    const area = runs.map((points) => `M${points[0].split(" ")[0]} ${HEIGHT}L${points.join("L")}`
        + `L${points.at(-1).split(" ")[0]} ${HEIGHT}Z`).join("");
    return s("svg.plot", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
        [0.25, 0.5, 0.75].map((part) => s("line.grid", { x1: 0, x2: WIDTH, y1: y(high * part), y2: y(high * part) })),
        s("path.area", { d: area }), s("path.line", { d: line }));
}

/** Bars for p50, p90 and p99, one above the other, on a scale that ends at `high`. */
export function percentiles(label, { p50, p90, p99 }, high) {
    const width = (value) => Math.max(1, (value / (high || 1)) * WIDTH);
    return s("svg.bars", { viewBox: `0 0 ${WIDTH} 10`, preserveAspectRatio: "none", role: "img", "aria-label": label },
        s("rect.p99", { x: 0, y: 3, height: 4, width: width(p99) }), s("rect.p90", { x: 0, y: 2, height: 6, width: width(p90) }),
        s("rect.p50", { x: 0, y: 1, height: 8, width: width(p50) }));
}

function pieces(values, point) {
    const runs = [];
    let run = null;
    values.forEach((value, index) => {
        if (value === null) {
            run = null;
            return;
        }
        if (!run) runs.push(run = []);
        run.push(point(value, index));
    });
    return runs;
}

/** The end of the scale for these values: the next of 1, 2, 5, 10, 20, … */
export function scaleOf(values) {
    const value = Math.max(0, ...values);
    if (value <= 0) return 1;
    const power = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value);
}
