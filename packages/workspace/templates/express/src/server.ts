import express, { type ErrorRequestHandler } from "express";
import { api } from "./api.ts";

const app = express();
const port = Number(process.env.PORT ?? 3000);

app.use(express.json());
app.use(express.static("public"));
app.use("/api", api);

app.use((request, response) => {
  response.status(404).json({ error: `There is no ${request.method} ${request.path}.` });
});

const onError: ErrorRequestHandler = (error, _request, response, next) => {
  if (response.headersSent) return next(error);
  const status: number = error.status ?? 500;
  if (status >= 500) console.error(error);
  response.status(status).json({ error: status < 500 ? error.message : "Something went wrong here." });
};
app.use(onError);

app.listen(port, () => console.log(`Listening on http://localhost:${port}`));
