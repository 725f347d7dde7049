import { Hono } from "hono";

export const api = new Hono();

api.get("/hello", (c) => c.json({ message: "Hello" }));
