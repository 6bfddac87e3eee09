package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.Tools;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tools of classes that are compiled in other ways than these tests: without names, in a module, in the wrong order. */
class CompiledToolsTest {

    private static final String CLERK = """
            package acme;
            import dev.chargehand.tool.AgentTool;
            class Clerk {
                @AgentTool(description = "Files a paper.")
                String file(String paper) { return paper; }
            }
            """;

    private static final String MAKER = """
            package acme.api;
            public class Maker {
                public static Object clerk() throws Exception {
                    var made = Class.forName("acme.Clerk").getDeclaredConstructor();
                    made.setAccessible(true);
                    return made.newInstance();
                }
            }
            """;

    @TempDir
    private Path folder;

    /** Compiles sources, each a path and a text, and returns what the compiler reports. */
    private String compile(List<String> options, String... sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < sources.length; i += 2) {
            Path file = folder.resolve("src").resolve(sources[i]);
            Files.createDirectories(file.getParent());
            files.add(Files.writeString(file, sources[i + 1]));
        }
        List<String> all = new ArrayList<>(
                List.of("-proc:none", "-d", classes().toString(), "-cp", System.getProperty("java.class.path")));
        all.addAll(options);
        StringWriter report = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            compiler.getTask(report, manager, null, all, null, manager.getJavaFileObjectsFromPaths(files))
                    .call();
        }
        return report.toString();
    }

    private Path classes() {
        return folder.resolve("classes");
    }

    private static Object clerk(ClassLoader loader) throws Exception {
        return loader.loadClass("acme.api.Maker").getMethod("clerk").invoke(null);
    }

    @Test
    void aParameterWithoutANameIsRejected() throws Exception {
        assertThat(compile(List.of(), "acme/Clerk.java", CLERK, "acme/api/Maker.java", MAKER))
                .isEmpty();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes().toUri().toURL()})) {
            Object clerk = clerk(loader);
            Steps.assertMisconfigured(
                    () -> Tools.of(clerk), "acme.Clerk.file(String)", "no name for parameter 1", "-parameters");
        }
    }

    @Test
    void aModuleOpensItsPackage() throws Exception {
        Steps.assertMisconfigured(
                () -> Tools.of(clerkOfModule("")),
                "acme.Clerk.file(String) cannot be called",
                "module acme does not open its package",
                "'opens acme;'");
    }

    @Test
    void anOpenPackageOfAModuleHasTools() throws Exception {
        Tool file = Tools.of(clerkOfModule("opens acme;")).getFirst();
        assertThat(file.handler().handle(Json.parse("{\"paper\":\"A4\"}"), null))
                .isEqualTo("A4");
    }

    private Object clerkOfModule(String directive) throws Exception {
        String report = compile(
                List.of("-parameters", "--add-reads", "acme=ALL-UNNAMED"),
                "module-info.java",
                "module acme { exports acme.api; " + directive + " }",
                "acme/Clerk.java",
                CLERK,
                "acme/api/Maker.java",
                MAKER);
        assertThat(report).isEmpty();
        ModuleLayer boot = ModuleLayer.boot();
        Configuration modules =
                boot.configuration().resolve(ModuleFinder.of(classes()), ModuleFinder.of(), Set.of("acme"));
        ClassLoader parent = Tools.class.getClassLoader();
        var controller = ModuleLayer.defineModulesWithOneLoader(modules, List.of(boot), parent);
        Module acme = controller.layer().findModule("acme").orElseThrow();
        controller.addReads(acme, parent.getUnnamedModule());
        return clerk(acme.getClassLoader());
    }

    @Test
    void aHandlerBeforeTheInputDoesNotCompile() throws Exception {
        String source = """
                import dev.chargehand.tool.Tool;
                class Order {
                    record In(String text) {}
                    Tool tool = Tool.builder("a", "b")%s;
                }
                """;
        String right = ".input(In.class).handler((in, context) -> in.text()).build()";
        String wrong = ".handler((in, context) -> in.text()).input(In.class).build()";
        assertThat(compile(List.of(), "Order.java", source.formatted(right))).isEmpty();
        assertThat(compile(List.of(), "Order.java", source.formatted(wrong))).contains("cannot find symbol");
    }
}
