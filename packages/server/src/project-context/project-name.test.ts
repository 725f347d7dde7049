import { describe, expect, it } from "vitest";
import { plainName, titleOf, titleOfTurn } from "./project-name.ts";

describe("a project's name from its first prompt", () => {
  it.each([
    ["Build a todo app", "Todo app"],
    ["build me an Express API for bookmarks.", "Express API for bookmarks"],
    ["Please create a landing page that sells shoes", "Landing page"],
    ["I want to make a game, with levels", "Game"],
    ["Écris une page", "Page"],
    ["Crée-moi une liste de courses", "Liste de courses"],
    ["Baue eine Einkaufsliste", "Einkaufsliste"],
    ["Bitte erstelle mir einen Kalender, der synchronisiert", "Kalender"],
    ["Créame una lista de tareas", "Lista de tareas"],
    ["Haz una página", "Página"],
    ["Crie um jogo da velha", "Jogo da velha"],
    ["Crea un'app per le spese", "Un'app per le spese"],
    ["Maak een takenlijst", "Takenlijst"],
    ["ابنِ قائمة تسوق", "ابنِ قائمة تسوق"],
    ["build it", "Build it"],
    ["Please make this.", "Make this"],
    ["Mach das", "Mach das"],
    ["Make it blue", "Make it blue"],
    ["   \n ", "New project"],
    ["build", "Build"],
  ])("turns %j into %j", (prompt, title) => {
    expect(titleOf(prompt)).toBe(title);
  });

  it("shortens a long one at a word, and is quick with 200,000 characters", () => {
    const title = titleOf(`Build a ${"very ".repeat(40_000)}long thing`);
    expect(title.length).toBeLessThanOrEqual(41);
    expect(title.endsWith("…")).toBe(true);
  });
});

it("names a turn by the beginning of its message, and cuts no word", () => {
  expect(titleOfTurn("Add a\n  total")).toBe("Add a total");
  const message = `Show the sales of each month as bars, ${"and their total beside them ".repeat(9)}`;
  const title = titleOfTurn(message);
  expect(title.length).toBeLessThanOrEqual(81);
  expect(message.startsWith(`${title.slice(0, -1)} `)).toBe(true);
  expect(titleOfTurn("売上".repeat(60)).length).toBeGreaterThan(40);
});

it("A42 removes invisible characters from a name, but keeps emoji and accents", () => {
  expect(plainName("a\u202eb\u0000c\u200bd\r\ne")).toBe("abcd e");
  expect(plainName("\u200b \u2066")).toBe("");
  expect(plainName("Ärger 👩‍👩‍👧 \ud800x")).toBe("Ärger 👩‍👩‍👧 x");
});
