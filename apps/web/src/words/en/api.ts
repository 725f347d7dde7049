export const api = {
  unreachable:
    "Treadle's server does not answer. What you typed is kept here; try again when it runs.",
  signedOut: "This page is not signed in. Open the address that Treadle printed when it started.",
  answeredWith: (status: number) => `The server answered with ${status}. Try again.`,
  uploadStopped: "The upload was stopped.",
  changed: (path: string) => `${path} was changed meanwhile. Nothing was written.`,
};
