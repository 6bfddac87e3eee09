package dev.chargehand.server.internal.route;

import dev.chargehand.error.ConfigurationException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All routes of a server, as a tree of the segments of their paths. Immutable after it was built. */
public final class RouteTable {

    private static final String GET = "GET";
    private static final String HEAD = "HEAD";

    private static final class Node {
        private final Map<String, Node> children = new LinkedHashMap<>();
        private @Nullable Node parameter;
        private final Map<String, End> ends = new LinkedHashMap<>();
    }

    /** A route at its node, with the segments of its template. */
    private record End(Route route, List<String> template) {

        Match match(List<String> path) {
            Map<String, String> parameters = new LinkedHashMap<>();
            for (int i = 0; i < template.size(); i++) {
                String name = template.get(i);
                if (isParameter(name)) {
                    parameters.put(name.substring(1, name.length() - 1), path.get(i));
                }
            }
            return new Match(route, parameters);
        }
    }

    /**
     * A route that was found.
     *
     * @param parameters the values of its parameters, decoded, by their names
     */
    public record Match(Route route, Map<String, String> parameters) {}

    private final List<Route> routes;
    private final Node root = new Node();

    /** Make a table. */
    public RouteTable(List<Route> routes) {
        this.routes = List.copyOf(routes);
        routes.forEach(this::add);
    }

    /**
     * Make a table of routes and of pages, which the descriptions of the server do not list. The first segment of a page's path is not
     * one of a route, since a path below a route would hide others from it.
     *
     * @throws ConfigurationException if the path of a page starts as that of a route, or is that of another page
     */
    public RouteTable(List<Route> routes, List<Page> pages) {
        this(routes);
        Set<String> taken = Set.copyOf(root.children.keySet());
        Set<String> paths = new HashSet<>();
        for (Page page : pages) {
            String first = segments(page.path()).getFirst();
            if (taken.contains(first)) {
                throw new ConfigurationException(
                        "The path of page '" + page.path() + "' is taken: paths that start with '/" + first
                                + "' are the server's own. Choose another first segment.");
            }
            if (!paths.add(page.path())) {
                throw new ConfigurationException(
                        "Two pages have the path '" + page.path() + "'; give one of them another.");
            }
            add(page.route());
        }
    }

    /** Return all routes, without the pages. */
    public List<Route> routes() {
        return routes;
    }

    private void add(Route route) {
        Node node = root;
        List<String> template = segments(route.template());
        for (String segment : template) {
            if (isParameter(segment)) {
                if (node.parameter == null) {
                    node.parameter = new Node();
                }
                node = node.parameter;
            } else {
                node = node.children.computeIfAbsent(segment, name -> new Node());
            }
        }
        if (node.ends.put(route.method(), new End(route, template)) != null) {
            throw new IllegalArgumentException("Two routes are " + route.method() + " " + route.template() + ".");
        }
    }

    /**
     * Return the route of a request. One that any caller may read is also that of {@code HEAD}, with which proxies and monitors look.
     *
     * @param path the path as it was sent
     * @throws ProblemException if there is none
     */
    public Match find(String method, String path) {
        List<String> segments = new ArrayList<>(segments(path));
        segments.replaceAll(Segments::decoded);
        Node node = below(root, segments);
        if (node == null) {
            throw Problem.ROUTE_UNKNOWN.of("No route has this path; GET /api/v1/info lists the routes.");
        }
        End end = node.ends.get(method.equals(HEAD) && isOpen(node) ? GET : method);
        if (end == null) {
            throw otherMethods(method, node);
        }
        return end.match(segments);
    }

    /** Return the node of a path. A segment is a parameter where no route continues with its text: a chat may have the name of a path. */
    private static @Nullable Node below(Node node, List<String> segments) {
        if (segments.isEmpty()) {
            return node.ends.isEmpty() ? null : node;
        }
        String segment = segments.getFirst();
        List<String> rest = segments.subList(1, segments.size());
        Node child = node.children.get(segment);
        Node found = child == null ? null : below(child, rest);
        return found == null && node.parameter != null && !segment.isEmpty() ? below(node.parameter, rest) : found;
    }

    private static List<String> segments(String path) {
        return path.equals("/")
                ? List.of()
                : List.of(path.substring(path.startsWith("/") ? 1 : 0).split("/", -1));
    }

    private static boolean isParameter(String segment) {
        return segment.startsWith("{");
    }

    private static boolean isOpen(Node node) {
        End end = node.ends.get(GET);
        return end != null && !end.route().access().signedIn();
    }

    private static ProblemException otherMethods(String method, Node node) {
        Set<String> methods = new LinkedHashSet<>(node.ends.keySet());
        if (isOpen(node)) {
            methods.add(HEAD);
        }
        String allowed = String.join(", ", methods);
        return Problem.METHOD_NOT_ALLOWED
                .of("The method " + (method.matches("[A-Z]{1,10}") ? method : "of the request")
                        + " is not one of this route; allowed: " + allowed + ".")
                .header("Allow", allowed);
    }
}
