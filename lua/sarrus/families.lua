--- The families of parts, in the order of lists and texts.  A new one is one more word here, and a
--- folder of its name (see model/part/family.lua).
return { "body", "joint", "force", "shape", "contact" }
