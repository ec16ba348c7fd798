import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads orders from lines of text, looks their customers up in a cache, and adds up what each country bought. */
public class Orders {
    record Customer(int number, String name, String country) {}

    record Order(Customer customer, String article, int count, double price) {
        double amount() {
            return count * price;
        }
    }

    /** Keeps the entries that were used last. */
    static class Cache<K, V> extends LinkedHashMap<K, V> {
        private final int size;

        Cache(int size) {
            super(16, 0.75f, true);
            this.size = size;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > size;
        }
    }

    private static final List<String> COUNTRIES = List.of("Chile", "Ghana", "Japan", "Norway", "Peru");
    private final Cache<Integer, Customer> customers = new Cache<>(500);

    /** Stands for a database. */
    private Customer load(int number) {
        String name = String.format("Customer %05d", number);
        return new Customer(number, name, COUNTRIES.get(number % COUNTRIES.size()));
    }

    private Order parse(String line) {
        String[] fields = line.split(",");
        Customer customer = customers.computeIfAbsent(Integer.parseInt(fields[0]), this::load);
        return new Order(customer, fields[1], Integer.parseInt(fields[2]), Double.parseDouble(fields[3]));
    }

    private Map<String, Double> byCountry(List<Order> orders) {
        return orders.stream()
                .collect(Collectors.groupingBy(o -> o.customer().country(), Collectors.summingDouble(Order::amount)));
    }

    private List<Order> largest(List<Order> orders) {
        return orders.stream()
                .sorted(Comparator.comparing(Order::amount).reversed().thenComparing(Order::article))
                .limit(10)
                .toList();
    }

    private static List<String> lines(Random random, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Math.abs((int) (random.nextGaussian() * 400)) + ",article " + random.nextInt(100)
                        + "," + (1 + random.nextInt(9)) + "," + random.nextInt(10000) / 100.0)
                .toList();
    }

    public static void main(String[] arguments) {
        Orders orders = new Orders();
        Random random = new Random(1);
        for (int day = 0; day < 60; day++) {
            List<Order> list = lines(random, 50000).stream().map(orders::parse).toList();
            String most = orders.largest(list).get(0).article();
            System.out.println("day " + day + ": " + most + " " + orders.byCountry(list));
        }
    }
}
