/** What is left of an origin's message once its wrapper is off. */
export interface Reading {
  /** A sentence that may still show insides; `undefined` where the wrapper held nothing that a client understands. */
  readonly message: string | undefined;
  /** The parameter, in the client's own spelling. */
  readonly param: string | undefined;
}
