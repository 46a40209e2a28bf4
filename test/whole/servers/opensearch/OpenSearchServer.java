import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.Version;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.PluginInfo;

/** One OpenSearch 2 or 3 node on the class path: the arguments are its folder and its port. */
public final class OpenSearchServer {
    /** Without their endings: Plugin in version 2, ModulePlugin in version 3. */
    private static final List<String> PLUGINS = List.of(
        "org.opensearch.transport.Netty4",
        "org.opensearch.analysis.common.CommonAnalysis",
        "org.opensearch.index.mapper.MapperExtras");

    /** The constructor with plugins is there for tests; what it takes differs between versions. */
    private static final class ServerNode extends Node {
        @SuppressWarnings({"unchecked", "rawtypes"})
        ServerNode(Environment environment, Collection plugins) {
            super(environment, plugins, false);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]).toAbsolutePath();
        Settings settings = Settings.builder()
            .put("cluster.name", "tributary-test")
            .put("node.name", "only")
            .put("discovery.type", "single-node")
            .put("path.home", home)
            .put("path.data", home.resolve("data"))
            .put("path.logs", home.resolve("logs"))
            .put("network.host", "127.0.0.1")
            .put("http.port", arguments[1])
            .put("transport.port", "0")
            .put("http.type", "netty4")
            .put("transport.type", "netty4")
            .put("node.store.allow_mmap", false)
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
        LogConfigurator.registerErrorListener();
        LogConfigurator.setNodeName("only");
        LogConfigurator.configureWithoutConfig(settings);
        List<Object> plugins = new ArrayList<>();
        for (String name : PLUGINS) plugins.add(plugin(name));
        Environment environment =
            InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), home.resolve("config"), () -> "only");
        Node node = new ServerNode(environment, plugins);
        node.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
            } catch (Exception failure) {
                failure.printStackTrace();
            }
        }));
        Thread.currentThread().join();
    }

    private static Object plugin(String name) throws ClassNotFoundException {
        if (Version.CURRENT.major < 3) return Class.forName(name + "Plugin");
        String found;
        try {
            found = Class.forName(name + "ModulePlugin").getName();
        } catch (ClassNotFoundException older) {
            found = Class.forName(name + "Plugin").getName();
        }
        return new PluginInfo(found, "", "", Version.CURRENT, "21", found, null, List.of(), false);
    }
}
