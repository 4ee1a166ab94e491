// Requests to the server. Tokens are kept in this module's memory. There is no cookie, so no other site can act for a
// moderator.

// A token may also be refused because its key was revoked; its session then goes on with a new one.
const RENEWABLE = ["token_expired", "token_invalid"];

let session = null;
let renewal = null;

/** The signed-in user: {userId, username, siteRole, communities}. */
export const me = {};

/** A refusal by the server, with its reason. */
export class Problem extends Error {
    constructor(status, body) {
        super(body?.detail ?? body?.title ?? `The server answered ${status}.`);
        this.status = status;
        this.code = body?.code ?? "unknown";
    }
}

export async function signIn({ email, password, code, token }) {
    const credentials = code ? { email, password, code } : { email, password };
    session = token ? { token } : await send("POST", "/v1/auth/login", credentials);
    try {
        await learnWhoIAm();
    } catch (error) {
        session = null;
        throw error;
    }
}

export async function signOut() {
    const ended = session;
    session = null;
    // A token issued beside the server belongs to no session. It is forgotten all the same.
    if (ended?.refreshToken) await send("POST", "/v1/auth/logout", undefined, ended.token).catch(() => null);
}

async function learnWhoIAm() {
    const { userId, username } = await get("/v1/me");
    // Only site roles may look up any user, so a refusal means that the caller has none.
    const { siteRole } = await get(`/v1/moderation/users/${userId}`).catch((error) => {
        if (error.status === 403 || error.status === 404) return { siteRole: null };
        throw error;
    });
    const { items } = await get("/v1/moderation/communities", { limit: 100 });
    if (!siteRole && !items.length) throw new Problem(403, { detail: "This account is not a moderator on this server." });
    Object.assign(me, { userId, username, siteRole, communities: items });
}

/** Sends a GET request. Parameters that are null, undefined or empty are left out. */
export function get(path, parameters = {}) {
    const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== "");
    const query = new URLSearchParams(given).toString();
    return request("GET", query ? `${path}?${query}` : path);
}

/** Reads a file of this server, as the signed-in moderator. */
export async function file(address) {
    if (!session) throw new Problem(401, { detail: "You are signed out." });
    if (expiresSoon()) await renew();
    const { pathname } = new URL(address);
    const answer = await fetch(pathname, {
        headers: { Authorization: `Bearer ${session.token}` }, credentials: "omit", referrerPolicy: "no-referrer",
    }).catch(() => { throw new Problem(0, { code: "unreachable", detail: "The server does not answer." }); });
    if (!answer.ok) throw new Problem(answer.status, await answer.json().catch(() => null));
    return answer.blob();
}

export const post = (path, body = {}) => request("POST", path, body);
export const patch = (path, body) => request("PATCH", path, body);
export const remove = (path) => request("DELETE", path);

async function request(method, path, body) {
    if (!session) throw new Problem(401, { detail: "You are signed out." });
    if (expiresSoon()) await renew();
    try {
        return await send(method, path, body, session?.token);
    } catch (error) {
        if (error.status !== 401) throw error;
        if (RENEWABLE.includes(error.code) && session?.refreshToken) {
            await renew();
            return send(method, path, body, session?.token);
        }
        end();
        throw error;
    }
}

function expiresSoon() {
    return session?.refreshToken && Date.parse(session.expiresAt) - Date.now() < 60_000;
}

/** Renews the session. A refresh token can be used once, so concurrent requests share one renewal. */
function renew() {
    renewal ??= send("POST", "/v1/auth/refresh", { refreshToken: session.refreshToken })
        .then((renewed) => { if (session) session = renewed; })
        .catch((error) => {
            if (error.status === 401) end();
            throw error;
        })
        .finally(() => { renewal = null; });
    return renewal;
}

function end() {
    session = null;
    document.dispatchEvent(new Event("signed-out"));
}

async function send(method, path, body, token) {
    const headers = { Accept: "application/json" };
    if (token) headers.Authorization = `Bearer ${token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const answer = await fetch(path, {
        method, headers, body: body === undefined ? undefined : JSON.stringify(body),
        credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer",
    }).catch(() => { throw new Problem(0, { code: "unreachable", detail: "The server does not answer." }); });
    const text = await answer.text();
    let json = null;
    try {
        json = text ? JSON.parse(text) : null;
    } catch {
        throw new Problem(answer.status, { detail: "The server's answer cannot be read." });
    }
    if (!answer.ok) throw new Problem(answer.status, json);
    return json;
}
