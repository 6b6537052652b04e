"use strict";
const data = JSON.parse(document.getElementById("alidade-data").textContent);
document.querySelector("h1").textContent = data.title;
document.getElementById("headline").textContent = data.headline.sentence;
