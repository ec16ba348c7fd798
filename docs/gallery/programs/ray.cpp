// Draws three spheres over a chequered floor, with shadows and reflections, as a PPM file.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

struct Vector {
    double x, y, z;
};

Vector operator+(Vector a, Vector b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}

Vector operator-(Vector a, Vector b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

Vector operator*(Vector a, double f)
{
    return {a.x * f, a.y * f, a.z * f};
}

double dot(Vector a, Vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

Vector normalize(Vector a)
{
    return a * (1 / std::sqrt(dot(a, a)));
}

struct Ray {
    Vector origin, direction;
};

struct Shape {
    virtual ~Shape() = default;
    virtual double intersect(const Ray &ray) const = 0; // distance, or infinity
    virtual Vector normal(Vector point) const = 0;
    virtual Vector colour(Vector point) const = 0;
};

struct Sphere : Shape {
    Vector centre, paint;
    double radius;

    Sphere(Vector centre, double radius, Vector paint)
        : centre(centre), paint(paint), radius(radius)
    {
    }

    double intersect(const Ray &ray) const override
    {
        Vector offset = ray.origin - centre;
        double half = dot(offset, ray.direction);
        double root = half * half - dot(offset, offset) + radius * radius;
        if (root < 0)
            return INFINITY;
        double distance = -half - std::sqrt(root);
        return distance > 1e-6 ? distance : INFINITY;
    }
    Vector normal(Vector point) const override
    {
        return normalize(point - centre);
    }
    Vector colour(Vector) const override
    {
        return paint;
    }
};

struct Floor : Shape {
    double intersect(const Ray &ray) const override
    {
        double distance = -(ray.origin.y + 1) / ray.direction.y;
        return distance > 1e-6 ? distance : INFINITY;
    }
    Vector normal(Vector) const override
    {
        return {0, 1, 0};
    }
    Vector colour(Vector point) const override
    {
        bool odd = static_cast<long>(std::floor(point.x) + std::floor(point.z)) % 2 != 0;
        return odd ? Vector{0.9, 0.9, 0.9} : Vector{0.2, 0.2, 0.25};
    }
};

class Scene
{
    std::vector<std::unique_ptr<Shape>> shapes;
    Vector light = normalize({-1, 2, -1});

    const Shape *nearest(const Ray &ray, double &distance) const
    {
        const Shape *found = nullptr;
        distance = INFINITY;
        for (const auto &shape : shapes) {
            double d = shape->intersect(ray);
            if (d < distance) {
                distance = d;
                found = shape.get();
            }
        }
        return found;
    }

    double shade(Vector point, Vector normal) const
    {
        double distance;
        return nearest({point, light}, distance) ? 0.1
                                                 : 0.1 + 0.9 * std::max(0.0, dot(normal, light));
    }

  public:
    template <typename T, typename... Arguments> void add(Arguments... arguments)
    {
        shapes.push_back(std::make_unique<T>(arguments...));
    }

    Vector trace(const Ray &ray, int depth) const
    {
        double distance;
        const Shape *shape = nearest(ray, distance);
        if (!shape)
            return Vector{0.5, 0.7, 1.0} * (0.6 + 0.4 * ray.direction.y);
        Vector point = ray.origin + ray.direction * distance, normal = shape->normal(point);
        Vector own = shape->colour(point) * shade(point, normal);
        if (depth == 0)
            return own;
        Vector mirrored = ray.direction - normal * (2 * dot(normal, ray.direction));
        return own * 0.7 + trace({point, mirrored}, depth - 1) * 0.3;
    }
};

static void print(const std::vector<Vector> &picture, int width, int height)
{
    std::printf("P3\n%d %d\n255\n", width, height);
    for (const Vector &pixel : picture)
        std::printf("%d %d %d\n", static_cast<int>(pixel.x * 255), static_cast<int>(pixel.y * 255),
                    static_cast<int>(pixel.z * 255));
}

// Returns the mean colour of a pixel: that of 16 rays through it.
static Vector pixel(const Scene &scene, double x, double y, double size)
{
    Vector sum{0, 0, 0};
    for (int part = 0; part < 16; part++) {
        Vector direction = normalize({x + part % 4 * size / 4, y - part / 4 * size / 4, 1});
        sum = sum + scene.trace({{0, 0, -3}, direction}, 4);
    }
    return sum * (1.0 / 16);
}

static std::vector<Vector> render(const Scene &scene, int width, int height)
{
    std::vector<Vector> picture;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            picture.push_back(
                pixel(scene, (x - width / 2.0) / height, 0.5 - 1.0 * y / height, 1.0 / height));
    return picture;
}

int main()
{
    const int width = 1280, height = 960;
    Scene scene;
    scene.add<Floor>();
    scene.add<Sphere>(Vector{-1.2, 0, 0.5}, 1.0, Vector{0.9, 0.3, 0.2});
    scene.add<Sphere>(Vector{0.9, -0.3, -0.4}, 0.7, Vector{0.2, 0.6, 0.9});
    scene.add<Sphere>(Vector{0.2, 0.9, 1.6}, 0.8, Vector{0.9, 0.8, 0.2});
    print(render(scene, width, height), width, height);
}
