// Requests to /v1 as the person who is signed in. The session is kept in sessionStorage, which ends with the tab. There
// is no cookie, so no other site can act for the person.

const KEY = "graphd-demo-session";

// A token may also be refused because its key was revoked; its session then goes on with a new one.
const RENEWABLE = ["token_expired", "token_invalid"];

let session = JSON.parse(sessionStorage.getItem(KEY));
let renewal = null;

/** The account of the person who is signed in, as `GET /v1/me` answers it. */
export const me = {};

/** A refusal by the server, with its reason. */
export class Problem extends Error {
    constructor(status, body) {
        super(body?.detail ?? body?.title ?? `The server answered ${status}.`);
        this.status = status;
        this.code = body?.code ?? "unknown";
    }
}

export const isSignedIn = () => session !== null;

export async function signIn({ email, password, code }) {
    keep(await send("POST", "/v1/auth/login", { body: code ? { email, password, code } : { email, password } }));
    await learnWhoIAm();
}

export async function learnWhoIAm() {
    Object.assign(me, await get("/v1/me"));
}

/** Revokes the session on the server and forgets it here, even if the server does not answer. */
export async function signOut() {
    const ended = session;
    keep(null);
    if (ended) await send("POST", "/v1/auth/logout", { token: ended.token }).catch(() => null);
}

/** Sends a GET request. Parameters that are null or undefined are left out. */
export function get(path, parameters = {}) {
    const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined);
    const query = new URLSearchParams(given).toString();
    return call("GET", query ? `${path}?${query}` : path);
}

export const put = (path) => call("PUT", path);
export const post = (path, body) => call("POST", path, { body });
export const patch = (path, body) => call("PATCH", path, { body });
export const remove = (path) => call("DELETE", path);

/** Reads a stored file of this server, which may be visible to this person only. */
export async function file(path) {
    return (await authorised((token) => exchange("GET", path, { token }))).blob();
}

/** Opens an event stream. */
export function open(path, options) {
    return authorised((token) => exchange("GET", path, { ...options, token }));
}

function call(method, path, options) {
    return authorised((token) => send(method, path, { ...options, token }));
}

/** Sends a request with a token that is renewed before it expires, or once the server refuses it. */
async function authorised(request) {
    if (!session) throw new Problem(401, { detail: "You are signed out." });
    if (Date.parse(session.expiresAt) - Date.now() < 60_000) await renew();
    try {
        return await request(session?.token);
    } catch (error) {
        if (error.status !== 401) throw error;
        if (!session || !RENEWABLE.includes(error.code)) {
            end();
            throw error;
        }
        await renew();
        return request(session?.token);
    }
}

/** Renews the session. A refresh token can be used once, so concurrent requests share one renewal. */
function renew() {
    renewal ??= send("POST", "/v1/auth/refresh", { body: { refreshToken: session.refreshToken } })
        .then((renewed) => { if (session) keep(renewed); })
        .catch((error) => {
            if (error.status === 401) end();
            throw error;
        })
        .finally(() => { renewal = null; });
    return renewal;
}

function keep(renewed) {
    session = renewed;
    if (renewed) sessionStorage.setItem(KEY, JSON.stringify(renewed));
    else sessionStorage.removeItem(KEY);
}

function end() {
    keep(null);
    document.dispatchEvent(new Event("signed-out"));
}

/** Sends a request and reads the JSON of its answer; null if it has none. */
async function send(method, path, options) {
    const text = await (await exchange(method, path, options)).text();
    return text ? JSON.parse(text) : null;
}

async function exchange(method, path, { body, token, headers = {}, signal } = {}) {
    const all = { ...headers };
    if (token) all.Authorization = `Bearer ${token}`;
    if (body !== undefined) all["Content-Type"] = "application/json";
    const answer = await fetch(path, {
        method, headers: all, body: body === undefined ? undefined : JSON.stringify(body), signal,
        credentials: "omit", cache: "no-store",
    }).catch((error) => {
        throw error.name === "AbortError" ? error : new Problem(0, { detail: "The server does not answer." });
    });
    if (!answer.ok) throw new Problem(answer.status, await answer.json().catch(() => null));
    return answer;
}
