package dev.chargehand.config.internal.crew;

import dev.chargehand.config.internal.file.FileDefinition;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The folder that {@code search-files} searches.
 *
 * @param folder the folder
 * @param name its name in citations
 * @param at where it was given
 */
public record Documents(Path folder, String name, Position at) {

    /**
     * Find the folder of an agents' file.
     *
     * @param override the folder that replaces that of the file, relative to the working folder; null for none
     */
    public static Documents of(
            FileDefinition file, Variables variables, Path workingFolder, @Nullable Setting override) {
        if (override != null) {
            return of(override.at().path(workingFolder, override.text()), workingFolder, override.at());
        }
        Setting named = file.docs();
        return named == null
                ? of(file.folder().resolve("docs"), workingFolder, new Position(file.name()))
                : of(
                        named.at()
                                .path(
                                        file.folder(),
                                        home(variables.resolve(named).text(), variables)),
                        workingFolder,
                        named.at());
    }

    private static Documents of(Path folder, Path workingFolder, Position at) {
        Path whole = folder.normalize();
        Path name = whole.startsWith(workingFolder) ? workingFolder.relativize(whole) : whole.getFileName();
        return new Documents(whole, name == null ? "" : name.toString().replace('\\', '/'), at);
    }

    /** Expand the home folder, which a shell does for options but not for values of the file. */
    private static String home(String path, Variables variables) {
        String home = variables.get("HOME");
        return home != null && (path.equals("~") || path.startsWith("~/")) ? home + path.substring(1) : path;
    }
}
