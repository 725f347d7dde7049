import { Router } from "express";

export const api = Router();

api.get("/hello", (_request, response) => {
  response.json({ message: "Hello" });
});
