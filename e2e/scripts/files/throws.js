const text = '{"sales": {"may": 3}}';
const sales = JSON.parse(text).sales;
document.body.innerHTML = "";
document.body.append(...sales.map((one) => String(one)));
