import express from "express";

const app = express();
const port = Number(process.env.PORT ?? 3000);

app.use(express.json());

app.get("/", (request, response) => {
  response.json({ name: "app", routes: ["GET /"] });
});

app.use((request, response) => {
  response.status(404).json({ error: `There is no ${request.method} ${request.path}.` });
});

app.use((error, request, response, next) => {
  if (response.headersSent) return next(error);
  const status = error.status ?? 500;
  if (status >= 500) console.error(error);
  response.status(status).json({ error: status < 500 ? error.message : "Something went wrong here." });
});

app.listen(port, () => console.log(`Listening on http://localhost:${port}`));
