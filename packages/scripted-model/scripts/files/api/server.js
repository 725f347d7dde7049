import { createServer } from "node:http";

const port = Number(process.env.PORT ?? 3000);
const notes = [{ id: 1, text: "An API is verified by an answered request." }];

createServer((request, response) => {
  const answer = (status, body) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  if (request.url === "/") return answer(200, { name: "Notes API", endpoints: ["/api/notes"] });
  if (request.url === "/api/notes") return answer(200, { notes });
  answer(404, { error: "There is nothing here." });
}).listen(port, () => console.log(`http://localhost:${port}`));
