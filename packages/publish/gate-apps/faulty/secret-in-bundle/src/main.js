fetch("https://mail.example.com/send", {
  headers: { authorization: import.meta.env.MAIL_PASSWORD },
});
