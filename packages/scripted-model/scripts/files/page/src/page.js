import { heading } from "./words.js";

export function page() {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${heading}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/style.css">
  </head>
  <body>
    <h1>${heading}</h1>
  </body>
</html>
`;
}
