import express, { type ErrorRequestHandler, type Response } from "express";
import type { Bookmarks } from "./bookmarks.ts";
import { checkBookmark, type Problem } from "./validate.ts";

const DESCRIPTION = {
  name: "Bookmarks API",
  version: 1,
  endpoints: [
    { method: "GET", path: "/api/bookmarks", about: "All bookmarks, newest first; ?q= searches them" },
    { method: "POST", path: "/api/bookmarks", about: "Adds one: url, title, tags" },
    { method: "GET", path: "/api/bookmarks/:id", about: "One bookmark" },
    { method: "PATCH", path: "/api/bookmarks/:id", about: "Changes the fields that are sent" },
    { method: "DELETE", path: "/api/bookmarks/:id", about: "Removes it" },
  ],
};

/** The API without a server around it, so that a test can call it. */
export function createApp(bookmarks: Bookmarks) {
  const app = express();
  app.disable("x-powered-by");
  app.use(express.json({ limit: "100kb" }));

  app.get("/", (_request, response) => {
    response.json({ ...DESCRIPTION, bookmarks: bookmarks.list("").length });
  });

  app.get("/api/bookmarks", (request, response) => {
    const { q } = request.query;
    response.json({ bookmarks: bookmarks.list(typeof q === "string" ? q.trim() : "") });
  });

  app.post("/api/bookmarks", (request, response) => {
    const checked = checkBookmark(request.body, true);
    if ("problems" in checked) return refuse(response, 400, "Not a bookmark yet.", checked.problems);
    const added = bookmarks.add(checked.fields);
    if (added === undefined) return refuse(response, 409, "This address is kept already.");
    response.status(201).location(`/api/bookmarks/${added.id}`).json(added);
  });

  app.get("/api/bookmarks/:id", (request, response) => {
    const found = bookmarks.get(Number(request.params.id));
    if (found === undefined) return missing(response);
    response.json(found);
  });

  app.patch("/api/bookmarks/:id", (request, response) => {
    const checked = checkBookmark(request.body, false);
    if ("problems" in checked) return refuse(response, 400, "Nothing was changed.", checked.problems);
    const changed = bookmarks.change(Number(request.params.id), checked.fields);
    if (changed === "missing") return missing(response);
    if (changed === "taken") return refuse(response, 409, "This address is kept already.");
    response.json(changed);
  });

  app.delete("/api/bookmarks/:id", (request, response) => {
    if (!bookmarks.remove(Number(request.params.id))) return missing(response);
    response.status(204).end();
  });

  app.use((request, response) => {
    refuse(response, 404, `There is no ${request.method} ${request.path}; GET / lists what there is.`);
  });

  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    const { status } = error;
    if (status === 413) return refuse(response, 413, "The body is longer than 100 kB.");
    if (status === 400) return refuse(response, 400, "The body is not valid JSON.");
    console.error(error);
    refuse(response, 500, "Something went wrong here; it was written to the log.");
  };
  app.use(onError);

  return app;
}

function missing(response: Response) {
  refuse(response, 404, "There is no bookmark with this number.");
}

function refuse(response: Response, status: number, message: string, problems: Problem[] = []) {
  response.status(status).json({ error: { message, problems } });
}
