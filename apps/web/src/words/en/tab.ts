export const tab = {
  title: "This project runs in this tab",
  states: {
    starting: "Starting the container…",
    running: "Ready.",
    lost: "The server does not answer. Trying again…",
    elsewhere: "Another tab runs it now. Load this page again to take it back.",
    broken: "It could not continue.",
  },
  notYet:
    "It has not loaded yet. Your browser fetches it from the hosts below: if a network or a blocker keeps them out, this page waits for ever.",
  about:
    "Keep this tab open: without it, everything that has to run waits. The container comes from StackBlitz (stackblitz.com, webcontainer.io, webcontainer-api.io, staticblitz.com), under its own terms; commercial use needs a licence from them.",
  preview: "The running app",
  output: "What was printed",
  notIsolated:
    "The browser did not isolate this page. Open its address in a tab of its own, in a browser that WebContainers support.",
};
