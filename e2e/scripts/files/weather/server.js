import { createServer } from "node:http";

const page = (text) =>
  `<!doctype html><html lang="en"><title>Weather</title><body><h1>Weather</h1><p>${text}</p><p>Key: ${process.env.WEATHER_KEY ? "given" : "none"}</p></body></html>`;

createServer(async (request, response) => {
  let text;
  try {
    const answer = await fetch("http://weather.example.com/now");
    text = answer.ok ? `It is ${await answer.text()}.` : `No weather: ${answer.status}`;
  } catch (error) {
    text = `No weather: ${error.cause?.message ?? error.message}`;
  }
  response.writeHead(200, { "content-type": "text/html" }).end(page(text));
}).listen(4310, () => console.log("http://localhost:4310"));
