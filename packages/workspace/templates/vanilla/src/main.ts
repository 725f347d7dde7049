import "./style.css";

const app = document.querySelector<HTMLElement>("#app")!;
app.innerHTML = `
  <h1>Hello</h1>
  <p>This page is <code>src/main.ts</code>.</p>
`;
