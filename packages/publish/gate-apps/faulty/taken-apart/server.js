const { createServer } = require("node:http");
const customers = [
  { id: 1, name: "Ada", email: "ada@lovelace.org" },
  { id: 2, name: "Grace", email: "grace@hopper.org" },
];
createServer((req, res) => {
  res.setHeader("x-content-type-options", "nosniff");
  res.setHeader("x-frame-options", "DENY");
  const parts = new URL(req.url, "http://x").pathname.split("/").filter(Boolean);
  const json = (d, s = 200) =>
    res.writeHead(s, { "content-type": "application/json" }).end(JSON.stringify(d));
  const html = (d, s = 200) =>
    res
      .writeHead(s, { "content-type": "text/html" })
      .end(`<!doctype html><html lang="en"><title>x</title>${d}`);
  switch (parts[0]) {
    case undefined:
      return html("<h1>Shop</h1>");
    case "api":
      switch (parts[1]) {
        case "customers":
          return json(customers);
        case "products":
          return json([]);
      }
      return json({}, 404);
    case "admin":
      return html("<h1>All orders</h1>");
  }
  html("gone", 404);
}).listen(process.env.PORT);
