--- The families of parts, in the order of lists and texts, and what models call their lists.  A new
--- one is one more word in each, and a folder of its name (see model/part/family.lua).
return {
  "body", "joint", "force", "shape", "contact",
  lists = {
    body = "bodies", joint = "joints", force = "forces", shape = "shapes", contact = "contacts",
  },
}
