--- Vectors and matrices of the space as lists of numbers, for answers that owe nothing to sarrus.

local space = {}

function space.add(a, b, factor)
  factor = factor or 1
  return { a[1] + factor * b[1], a[2] + factor * b[2], a[3] + factor * b[3] }
end

function space.less(a, b)
  return space.add(a, b, -1)
end

function space.scale(a, factor)
  return { a[1] * factor, a[2] * factor, a[3] * factor }
end

function space.dot(a, b)
  return a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
end

function space.cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

function space.norm(a)
  return math.sqrt(space.dot(a, a))
end

--- m a
function space.apply(m, a)
  return { space.dot(m[1], a), space.dot(m[2], a), space.dot(m[3], a) }
end

--- A place or vector of the plane or the space, in three components.
function space.lift(a)
  return { a[1], a[2], a[3] or 0 }
end

--- A turn by an angle about a unit vector: rows of its matrix.
function space.rotation(axis, angle)
  local c, s = math.cos(angle), math.sin(angle)
  local rows = {}
  for i = 1, 3 do
    local e = { i == 1 and 1 or 0, i == 2 and 1 or 0, i == 3 and 1 or 0 }
    local turned = space.add(space.add(space.scale(e, c), space.cross(axis, e), s), axis,
      (1 - c) * axis[i])
    rows[i] = turned -- the column of e; transposed below
  end
  return space.transposed(rows)
end

function space.transposed(m)
  local rows = {}
  for i = 1, 3 do
    rows[i] = { m[1][i], m[2][i], m[3][i] }
  end
  return rows
end

function space.product(a, b)
  local columns, rows = space.transposed(b), {}
  for i = 1, 3 do
    rows[i] = { space.dot(a[i], columns[1]), space.dot(a[i], columns[2]),
      space.dot(a[i], columns[3]) }
  end
  return rows
end

--- The solution of a x = b by elimination with pivoting; both are changed.
function space.solve(a, b)
  local n = #b
  for k = 1, n do
    local best = k
    for i = k + 1, n do
      best = math.abs(a[i][k]) > math.abs(a[best][k]) and i or best
    end
    a[k], a[best], b[k], b[best] = a[best], a[k], b[best], b[k]
    for i = k + 1, n do
      local factor = a[i][k] / a[k][k]
      for j = k, n do
        a[i][j] = a[i][j] - factor * a[k][j]
      end
      b[i] = b[i] - factor * b[k]
    end
  end
  for i = n, 1, -1 do
    for j = i + 1, n do
      b[i] = b[i] - a[i][j] * b[j]
    end
    b[i] = b[i] / a[i][i]
  end
  return b
end

return space
