package dev.chargehand.tool;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Finds the methods of a class that are annotated with {@link AgentTool}, here or in what they override. */
final class AnnotatedMethods {

    private AnnotatedMethods() {}

    /**
     * Return them in the order of their names; of a method and one that it overrides, the lower one that is annotated.
     */
    static List<Method> of(Class<?> type) {
        Map<String, Method> found = new TreeMap<>();
        for (Class<?> each : lineage(type)) {
            for (Method method : each.getDeclaredMethods()) {
                if (method.isAnnotationPresent(AgentTool.class) && !method.isBridge()) {
                    found.putIfAbsent(method.getName() + Arrays.toString(method.getParameterTypes()), method);
                }
            }
        }
        return List.copyOf(found.values());
    }

    /** Return the class, its superclasses and then its interfaces. */
    private static Set<Class<?>> lineage(Class<?> type) {
        Set<Class<?>> lineage = new LinkedHashSet<>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            lineage.add(each);
        }
        List.copyOf(lineage).forEach(each -> addInterfaces(each, lineage));
        return lineage;
    }

    private static void addInterfaces(Class<?> type, Set<Class<?>> lineage) {
        for (Class<?> each : type.getInterfaces()) {
            lineage.add(each);
            addInterfaces(each, lineage);
        }
    }
}
