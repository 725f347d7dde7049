import { createServer } from "node:http";

const page = (title, body) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://clinic");
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("content-security-policy", "frame-ancestors 'self'");
  response.setHeader("content-type", "text/html; charset=utf-8");
  const isStaff =
    request.headers.authorization === `Bearer ${process.env.STAFF_KEY ?? crypto.randomUUID()}`;
  switch (pathname) {
    case "/":
      return response.end(page("Clinic", `<p><a href="/admin">For our staff</a></p>`));
    case "/admin":
      if (!isStaff) return response.writeHead(302, { location: "/staff" }).end();
      return response.end(page("Patients of today", ""));
    case "/api/admin/patients":
      if (!isStaff) return response.writeHead(401).end("Sign in first.");
      return response.end("[]");
    case "/staff":
      return response.end(
        page("For our staff", "<p>Sign in with the key that you were given.</p>"),
      );
    default:
      response.writeHead(404).end(page("Not there", ""));
  }
}).listen(process.env.PORT);
