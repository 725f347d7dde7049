addEventListener("click", () =>
  fetch("https://mail.example.com/send", { headers: { authorization: "{{random}}" } }),
);
