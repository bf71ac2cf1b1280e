/** A way to reach an origin: the network's own, or that of a binding. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
