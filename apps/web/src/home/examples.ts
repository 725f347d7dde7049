/** Sentences to begin with. Each is whole, so that it can be sent as it stands. */
export const EXAMPLES: readonly { label: string; prompt: string }[] = [
  {
    label: "a todo app",
    prompt:
      "Build a todo app: add, tick off, filter by open and done, and keep the list when the page is loaded again.",
  },
  {
    label: "a landing page",
    prompt:
      "Build a landing page for a small bicycle workshop: opening hours, three services with prices, and a form to ask for an appointment.",
  },
  {
    label: "a dashboard from CSV",
    prompt:
      "Build a dashboard that reads a CSV file I drop on the page and shows its columns as a table, with a bar chart of any numeric column I choose.",
  },
  {
    label: "a small API",
    prompt:
      "Build a small Express API for notes: list, create, change and delete, with input checks and an answer at / that lists the routes.",
  },
  {
    label: "a game",
    prompt:
      "Build a game of snake on a canvas: arrow keys and touch, a score, and a best score that is kept.",
  },
];
