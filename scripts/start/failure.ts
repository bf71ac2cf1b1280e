/** A start that cannot be, in one sentence for whoever typed the command. Anything else that is thrown is a defect. */
export class StartFailure extends Error {
  override readonly name = "StartFailure";
}
