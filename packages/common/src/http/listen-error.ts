export type ListenErrorCode = "in-use" | "not-allowed" | "not-loopback" | "failed";

export class ListenError extends Error {
  readonly code: ListenErrorCode;
  constructor(code: ListenErrorCode, message: string) {
    super(message);
    this.name = "ListenError";
    this.code = code;
  }
}
